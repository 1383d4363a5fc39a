/** Where the line goes: a terminal or a file. */
export type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

const ERASE_LINE = '\r\u001b[2K';
/** Percent between two lines where nothing can be redrawn. */
const LINE_STEP = 25;

/** Says how far a long work is, in one line that is redrawn, or in a few lines where none can be. */
export function progressLine(text: string, output: Output = process.stderr) {
  let shown = -1;
  return {
    /** @param fraction 0 to 1 */
    show(fraction: number): void {
      const step = output.isTTY ? 1 : LINE_STEP;
      const percent = Math.floor((fraction * 100) / step) * step;
      if (percent === shown) return;
      shown = percent;
      const line = `${text} … ${percent} %`;
      output.write(output.isTTY ? `${ERASE_LINE}${line}` : `${line}\n`);
    },
    end(): void {
      if (output.isTTY && shown >= 0) output.write(ERASE_LINE);
      shown = -1;
    },
  };
}
