import type { MouseEvent } from 'react'
import { formatAddress } from '@shared/c64/address'
import { bytesOf, cellAt, cellOf, placeOfCell, type ScreenCell } from '@shared/c64/screenCell'
import { decodeVideo, IO_SIZE, IO_START, videoModeTitles, type Video } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import type { Picture, Space } from '@shared/contract/memory'
import { itemsOfByte, openByteMenu } from '../../client/byteMenu'
import { call } from '../../client/call'
import { isByKeyboard, openContextMenu, type MenuEntry } from '../../client/contextMenu'
import { requireFront } from '../../client/machineControl'
import { showInMemory, useCursor } from '../../client/memoryCursor'
import { chosenNow } from '../../client/chosen'
import { byteNow, spaceSeen, videoNow } from '../../frames/places'
import { usePlayback } from '../../frames/shownMoment'
import type { ScreenCanvas } from '../../frames/screenCanvas'

const BORDER_COLOUR = 0xd020

const topLeft: ScreenCell = { row: 0, column: 0, line: 0 }

export async function openScreenMenu(event: MouseEvent, painter: ScreenCanvas, picture: Picture): Promise<void> {
  event.preventDefault()
  const video = videoNow() ?? (await readVideo())
  if (isByKeyboard(event)) {
    const cell = cellOf(video, useCursor.getState().address) ?? topLeft
    openCellMenu(event, video, cell, painter.pointOf(placeOfCell(video, picture.height, cell)))
    return
  }
  const { x, y } = painter.pixelAt({ x: event.clientX, y: event.clientY })
  const cell = cellAt(video, picture.height, x, y)
  if (cell) openCellMenu(event, video, cell)
  else openByteMenu(event, { address: BORDER_COLOUR, space: 'cpu', value: byteNow('cpu', BORDER_COLOUR) })
}

/** @throws AppError where it cannot be known */
async function readVideo(): Promise<Video> {
  if (usePlayback.getState().shown !== null)
    throw new AppError(
      'CONFLICT',
      'This recording does not hold the VIC-II’s registers, so the bytes here are unknown.',
    )
  const range = { machine: requireFront(), space: 'io', address: IO_START, length: IO_SIZE } as const
  return decodeVideo((await call('memory.read', range)).bytes)
}

function openCellMenu(event: MouseEvent, video: Video, cell: ScreenCell, place?: { x: number; y: number }): void {
  const { screen, colour, bitmap } = bytesOf(video, cell)
  const bytes = [
    ...(bitmap === null ? [] : [{ name: 'Bitmap', address: bitmap, space: ramSpace(bitmap) }]),
    { name: 'Screen', address: screen, space: ramSpace(screen) },
    { name: 'Colour', address: colour, space: spaceSeen('io', colour) },
  ]
  const entries: MenuEntry[] = [
    ...bytes.slice(0, 1).map(({ address, space }) => ({
      label: `Show ${formatAddress(address)} in memory`,
      run: () => showInMemory(address, space),
    })),
    ...bytes.map(({ name, address, space }, index) => ({
      label: `${name} ${formatAddress(address)}`,
      items: itemsOfByte({ address, space, value: byteNow(space, address) }),
      isFirstOfGroup: index === 0,
    })),
  ]
  openContextMenu(event, `Row ${cell.row}, column ${cell.column}, ${videoModeTitles[video.mode]}`, entries, place)
}

const ramSpace = (address: number): Space => (chosenNow('memory.space') === 'ram' ? 'ram' : spaceSeen('ram', address))
