/** The result of a match as a picture, to be shared or saved. */

export interface Result {
  title: string;
  subtitle: string;
  rows: { place: number; name: string; total: number; seat: number }[];
  /** The points of each round, by seat. */
  story: number[][];
  target: number;
}

const WIDTH = 1080;
const EDGE = 60;
const INK = '#15152a';
const PAPER = '#fbf6e9';
const SOFT = '#bdbccf';
const HUES = [25, 235, 145, 320, 65, 190, 285, 120, 350, 215, 45, 280];

const colour = (seat: number): string => `hsl(${HUES[seat % 12]} ${seat % 12 === 11 ? 8 : 70}% ${seat < 12 ? 70 : seat < 24 ? 58 : 80}%)`;

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
    pen.fillStyle = colour(row.seat);
    pen.beginPath();
    pen.arc(x + 88, y - size * 0.34, size * 0.28, 0, 7);
    pen.fill();
    write(row.name, x + 115, y, `700 ${size}px ${text}`, PAPER, column - 250);
    write(String(row.total), x + column, y, `800 ${size}px ${text}`, PAPER, 130, 'right');
  });

  const totals = result.rows.map((row) => {
    let sum = 0;
    return { seat: row.seat, sums: [0, ...result.story.map((scores) => (sum += scores[row.seat] ?? 0))] };
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
  for (const { seat, sums } of totals.toReversed()) {
    pen.strokeStyle = colour(seat);
    pen.beginPath();
    sums.forEach((points, round) => (round ? pen.lineTo(x(round), y(points)) : pen.moveTo(x(round), y(points))));
    pen.stroke();
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}
