import { Menu, nativeImage, Tray, type BrowserWindow } from 'electron'

/** px; the system scales it. */
const SIZE = 22

/** While the window is hidden: an icon that brings it back, or ends everything. */
export function hideToTray(window: BrowserWindow, quit: () => void): void {
  const tray = new Tray(icon())
  const show = () => window.show()
  tray.setToolTip('Bridgedeck: tasks are running')
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Show Bridgedeck', click: show },
      { type: 'separator' },
      { label: 'Quit…', click: quit },
    ]),
  )
  tray.on('click', show)
  window.once('show', () => tray.destroy())
  window.hide()
}

/** A screen with a border, in the C64's two blues. */
function icon() {
  const pixels = Buffer.alloc(SIZE * SIZE * 4)
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const isBorder = Math.min(x, y, SIZE - 1 - x, SIZE - 1 - y) < 4
      // Blue, green, red, alpha.
      pixels.set(isBorder ? [0xeb, 0x86, 0x7a, 0xff] : [0xa3, 0x3e, 0x35, 0xff], (y * SIZE + x) * 4)
    }
  }
  return nativeImage.createFromBitmap(pixels, { width: SIZE, height: SIZE })
}
