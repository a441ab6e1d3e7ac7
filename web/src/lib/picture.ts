/** The result of a game or a match as a picture, to be shared or saved. */

import { download } from './download';

export interface Result {
  title: string;
  subtitle: string;
  rows: { place: number; name: string; total: number; seat: number; colour: number }[];
  /** The points of each round, by seat. */
  story: number[][];
  target: number;
}

const WIDTH = 1080;
const EDGE = 60;
const INK = '#15152a';
const PAPER = '#fbf6e9';
const SOFT = '#bdbccf';

/** The colour that the page has for a player, as a canvas understands it. */
function paint(colour: number): string {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.color = `var(--p${colour % 12})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** Draw the picture: title, everybody's place and points, and how it went. */
export async function resultPicture(result: Result): Promise<Blob> {
  await document.fonts.ready;
  const style = getComputedStyle(document.documentElement);
  const display = style.getPropertyValue('--display') || 'sans-serif';
  const text = style.getPropertyValue('--text') || 'sans-serif';
  const two = result.rows.length > 12;
  const perColumn = two ? Math.ceil(result.rows.length / 2) : result.rows.length;
  const line = two ? 44 : 62;
  const listTop = 250;
  const graphTop = listTop + perColumn * line + 40;
  const height = graphTop + 420 + EDGE;
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = height;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');

  pen.fillStyle = INK;
  pen.fillRect(0, 0, WIDTH, height);
  const write = (words: string, x: number, y: number, font: string, fill: string, most: number, align: CanvasTextAlign = 'left'): void => {
    pen.font = font;
    pen.fillStyle = fill;
    pen.textAlign = align;
    pen.fillText(words, x, y, most);
  };
  write('Flip 7', EDGE, 80, `400 34px ${display}`, SOFT, 400);
  write(result.title, EDGE, 160, `400 68px ${display}`, PAPER, WIDTH - 2 * EDGE);
  write(result.subtitle, EDGE, 210, `500 32px ${text}`, SOFT, WIDTH - 2 * EDGE);

  const column = two ? (WIDTH - 3 * EDGE) / 2 : WIDTH - 2 * EDGE;
  const size = two ? 30 : 40;
  result.rows.forEach((row, i) => {
    const x = EDGE + Math.floor(i / perColumn) * (column + EDGE);
    const y = listTop + (i % perColumn) * line + size;
    write(`${row.place}.`, x + 60, y, `700 ${size}px ${text}`, SOFT, 80, 'right');
    pen.fillStyle = paint(row.colour);
    pen.beginPath();
    pen.arc(x + 88, y - size * 0.34, size * 0.28, 0, 7);
    pen.fill();
    write(row.name, x + 115, y, `700 ${size}px ${text}`, PAPER, column - 250);
    write(String(row.total), x + column, y, `800 ${size}px ${text}`, PAPER, 130, 'right');
  });

  const totals = result.rows.map((row) => {
    let sum = 0;
    return { colour: row.colour, sums: [0, ...result.story.map((scores) => (sum += scores[row.seat] ?? 0))] };
  });
  const top = Math.max(result.target, ...totals.flatMap((one) => one.sums)) * 1.04;
  const x = (round: number): number => EDGE + ((WIDTH - 2 * EDGE) * round) / Math.max(1, result.story.length);
  const y = (points: number): number => graphTop + 400 - (400 * points) / top;
  pen.strokeStyle = SOFT;
  pen.lineWidth = 2;
  pen.setLineDash([8, 10]);
  pen.beginPath();
  pen.moveTo(EDGE, y(result.target));
  pen.lineTo(WIDTH - EDGE, y(result.target));
  pen.stroke();
  pen.setLineDash([]);
  write(String(result.target), EDGE, y(result.target) - 10, `600 24px ${text}`, SOFT, 120);
  pen.lineWidth = 5;
  pen.lineJoin = 'round';
  for (const { colour, sums } of [...totals].reverse()) {
    pen.strokeStyle = paint(colour);
    pen.beginPath();
    sums.forEach((points, round) => (round ? pen.lineTo(x(round), y(points)) : pen.moveTo(x(round), y(points))));
    pen.stroke();
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}

/** Share a picture, or save it where it cannot be shared. */
export async function handOut(blob: Blob, name: string, title: string): Promise<void> {
  const file = new File([blob], name, { type: 'image/png' });
  try {
    if (navigator.canShare?.({ files: [file] })) return await navigator.share({ files: [file], title });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
  }
  download(name, blob, 'image/png');
}
