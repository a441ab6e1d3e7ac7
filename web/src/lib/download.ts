/** Files that are made here. */

/** Hand something to the user as a file. */
export function download(name: string, content: string | Blob, kind: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
