/** Synthesised sounds, short and quiet. Nothing is loaded; nothing sounds before the user has touched the page. */

import type { AnyEvent } from './messages';
import type { Scene } from './scene';
import { settings } from './settings.svelte';

let context: AudioContext | null = null;
let opened = 0;
/** A new context takes a moment to run. */
const STARTING = 200;

/** Where sounds are played now. While it does not run its clock stands still: what comes then is left out, not saved up. */
function audio(): AudioContext | null {
  if (!settings.sound || settings.volume <= 0) return null;
  if (!context) {
    if (!navigator.userActivation?.hasBeenActive) return null;
    context = new AudioContext();
    opened = performance.now();
  }
  if (context.state === 'running') return context;
  void context.resume().catch(() => undefined); // iOS: 'interrupted' by a call
  return performance.now() - opened < STARTING ? context : null;
}

interface Tone {
  at?: number;
  frequency: number;
  to?: number;
  length: number;
  gain?: number;
  type?: OscillatorType;
}

function tone({ at = 0, frequency, to, length, gain = 0.3, type = 'sine' }: Tone): void {
  const ctx = audio();
  if (!ctx) return;
  const start = ctx.currentTime + at;
  const source = new OscillatorNode(ctx, { type, frequency });
  if (to) source.frequency.exponentialRampToValueAtTime(to, start + length);
  const level = new GainNode(ctx, { gain: 0 });
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(gain * settings.volume, start + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(level).connect(ctx.destination);
  source.start(start);
  source.stop(start + length);
}

let hiss: AudioBuffer | null = null;

function noise(length: number, frequency: number, gain: number, at = 0): void {
  const ctx = audio();
  if (!ctx) return;
  if (!hiss) {
    hiss = ctx.createBuffer(1, ctx.sampleRate / 2, ctx.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  }
  const start = ctx.currentTime + at;
  const source = new AudioBufferSourceNode(ctx, { buffer: hiss });
  const filter = new BiquadFilterNode(ctx, { type: 'bandpass', frequency, Q: 0.9 });
  const level = new GainNode(ctx, { gain: gain * settings.volume });
  level.gain.setValueAtTime(gain * settings.volume, start);
  level.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(filter).connect(level).connect(ctx.destination);
  source.start(start, 0, length);
}

/** The flick of a card; its pitch rises with the numbers that lie there already, so tension is heard. */
function flick(numbers: number): void {
  noise(0.07, 1400 * 2 ** (numbers / 6), 0.5);
  tone({ frequency: 330 * 2 ** (numbers / 6), length: 0.09, gain: 0.12, type: 'triangle' });
}

function buzz(pattern: number | number[]): void {
  if (settings.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

export const sound = {
  /** A soft knock: it is your turn. */
  turn(): void {
    tone({ frequency: 190, to: 120, length: 0.12, gain: 0.5 });
    tone({ at: 0.14, frequency: 210, to: 130, length: 0.14, gain: 0.5 });
    buzz(40);
  },
  /** A tap that was taken. */
  tap(): void {
    tone({ frequency: 520, length: 0.05, gain: 0.15, type: 'triangle' });
    buzz(12);
  },
  /** A player shows a feeling. */
  emote(): void {
    tone({ frequency: 620, to: 880, length: 0.12, gain: 0.15 });
  },
  /** What an event sounds like. */
  event(event: AnyEvent, scene: Scene): void {
    switch (event.kind) {
      case 'card_flipped': {
        const cards = scene.seats[event.seat ?? 0]?.cards ?? [];
        flick(cards.filter((card) => /^\d/.test(card)).length);
        break;
      }
      case 'player_busted':
        tone({ frequency: 150, to: 45, length: 0.4, gain: 0.8 });
        noise(0.2, 180, 0.7);
        buzz([60, 40, 90]);
        break;
      case 'player_saved':
        [660, 550, 880].forEach((frequency, i) => tone({ at: i * 0.09, frequency, length: 0.18, gain: 0.2, type: 'triangle' }));
        break;
      case 'player_frozen':
        [2093, 2637, 3136, 3951].forEach((frequency, i) => tone({ at: i * 0.05, frequency, length: 0.5, gain: 0.09 }));
        break;
      case 'flip_three_started':
        for (let i = 0; i < 9; i += 1) noise(0.05, 900, 0.25, i * 0.045);
        break;
      case 'flip7_made':
        [262, 330, 392, 523, 659, 784, 1047].forEach((frequency, i) =>
          tone({ at: i * 0.11, frequency, length: 1.4 - i * 0.11, gain: 0.16, type: 'triangle' }),
        );
        buzz([30, 30, 30, 30, 120]);
        break;
      case 'player_stayed':
        tone({ frequency: 392, to: 294, length: 0.14, gain: 0.14, type: 'triangle' });
        break;
      case 'deck_reshuffled':
        for (let i = 0; i < 8; i += 1) noise(0.05, 2200 + i * 120, 0.25, i * 0.06);
        break;
      case 'game_over':
        [523, 659, 784, 1047].forEach((frequency, i) => tone({ at: i * 0.14, frequency, length: 0.5, gain: 0.2, type: 'triangle' }));
        break;
      default:
        break;
    }
  },
};
