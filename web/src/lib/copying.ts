/** Copies text, also where the browser keeps the clipboard for secure addresses. */

/** Copy a text. Where nothing lets us, the element that shows it is selected, to be copied by hand: then false. */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // not there on http:// addresses
    return true;
  } catch {
    return copyOld(text) || select(shown);
  }
}

function copyOld(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position: fixed; top: 0; opacity: 0;';
  (document.querySelector('dialog[open]') ?? document.body).append(field); // what lies outside an open dialog cannot be selected
  field.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    done = false;
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

function select(shown: HTMLElement | null): false {
  if (shown) getSelection()?.selectAllChildren(shown);
  return false;
}
