import { clipboard, ClipboardItem, nativeImage, type NativeImage } from 'electron'

/** Electron before 44 has a separate method for pictures instead of clipboard items. */
const takesImages = (target: object): target is { writeImage(image: NativeImage): void } => 'writeImage' in target

export const systemClipboard = {
  readText: async (): Promise<string> => clipboard.readText(),
  writeText: async (text: string): Promise<void> => clipboard.writeText(text),
  async writePicture(png: Uint8Array): Promise<void> {
    if (takesImages(clipboard)) clipboard.writeImage(nativeImage.createFromBuffer(Buffer.from(png)))
    else
      await clipboard.write([
        new ClipboardItem({ 'image/png': new Blob([new Uint8Array(png)], { type: 'image/png' }) }),
      ])
  },
}
