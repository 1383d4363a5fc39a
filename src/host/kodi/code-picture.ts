import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { greyPng } from '../../io/png.ts';
import { removeFolder, replaceFile } from '../../io/store.ts';
import { qrCode } from '../qr-code.ts';

/** Of our data folder; holds nothing but the picture that is shown. */
const FOLDER = 'code';
/** Pixels of the place that slipstream-code.xml has for it. */
const MAX_PIXELS = 600;

export interface CodePicture {
  /** Writes a QR code of the text. @returns its file @throws STORE_FAILED */
  show(text: string): Promise<string>;
  remove(): Promise<void>;
}

/** A picture for Kodi, which shows files alone. */
export function codePicture(dataFolder: string): CodePicture {
  const folder = join(dataFolder, FOLDER);
  const remove = () => removeFolder(folder);
  return {
    show: async (text) => {
      // Kodi keeps a picture that it knows, so that each has a name of its own; a killed engine's may still be there.
      await remove();
      const file = join(folder, `${randomUUID()}.png`);
      await replaceFile(folder, file, drawCode(text));
      return file;
    },
    remove,
  };
}

/** As large as there is room for, with every module of whole pixels: a code that is scaled by a fraction is blurred. */
function drawCode(text: string): Buffer {
  const modules = qrCode(text);
  const scale = Math.max(1, Math.floor(MAX_PIXELS / modules.length));
  const width = modules.length * scale;
  const pixels = new Uint8Array(width * width);
  for (let y = 0; y < width; y++) {
    const row = modules[Math.floor(y / scale)];
    for (let x = 0; x < width; x++) pixels[y * width + x] = row?.[Math.floor(x / scale)] === true ? 0 : 255;
  }
  return greyPng(width, pixels);
}
