import { Menu, nativeImage, Tray, type BrowserWindow } from 'electron'

const SIZE_PX = 22

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

function icon() {
  const pixels = Buffer.alloc(SIZE_PX * SIZE_PX * 4)
  for (let y = 0; y < SIZE_PX; y++) {
    for (let x = 0; x < SIZE_PX; x++) {
      const isBorder = Math.min(x, y, SIZE_PX - 1 - x, SIZE_PX - 1 - y) < 4
      // Blue, green, red, alpha.
      pixels.set(isBorder ? [0xeb, 0x86, 0x7a, 0xff] : [0xa3, 0x3e, 0x35, 0xff], (y * SIZE_PX + x) * 4)
    }
  }
  return nativeImage.createFromBitmap(pixels, { width: SIZE_PX, height: SIZE_PX })
}
