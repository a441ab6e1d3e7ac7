// Says so where the browser is too old for the page; written so that every browser can read it.
(function () {
  'use strict';
  var enough = window.CSS && CSS.supports && CSS.supports('height', '1dvh') && CSS.supports('selector(:has(a))') && CSS.supports('container-type', 'inline-size');
  if (enough && 'noModule' in document.createElement('script')) return;
  var needs = 'Chrome 108, Edge 108, Firefox 121, Safari / iOS 16.4';
  var words = {
    en: 'This browser is too old for Flip 7. Please update it, or open this page in another one. It takes at least: ',
    de: 'Dieser Browser ist zu alt für Flip 7. Bitte aktualisiere ihn oder öffne die Seite in einem anderen. Nötig ist mindestens: ',
    fr: 'Ce navigateur est trop ancien pour Flip 7. Mettez-le à jour ou ouvrez cette page dans un autre. Il faut au moins : ',
    es: 'Este navegador es demasiado antiguo para Flip 7. Actualízalo o abre esta página en otro. Hace falta como mínimo: '
  };
  var language = (navigator.language || 'en').slice(0, 2);
  var page = document.getElementById('app');
  var text = document.createElement('p');
  text.setAttribute('lang', words[language] ? language : 'en');
  text.style.cssText = 'max-width: 32em; margin: 3em auto; padding: 0 1.5em; font: 20px/1.5 sans-serif';
  text.appendChild(document.createTextNode((words[language] || words.en) + needs + '.'));
  page.id = 'too-old'; // so that nothing else is put there
  page.appendChild(text);
})();
