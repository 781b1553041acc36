import { formatAddress } from '@shared/c64/address'
import { colourName } from '@shared/c64/palettes'
import { describeSprite, spriteColours } from '@shared/c64/spriteText'
import type { FrameBand } from '@shared/c64/videoFrame/frameBands'
import type { FrameSprite } from '@shared/c64/videoFrame/frameSprites'
import {
  bandText,
  changedText,
  frameNotes,
  groupBands,
  linesText,
  spriteChangesText,
  spriteCountText,
} from '@shared/c64/videoFrame/frameText'
import { readFrame } from '@shared/c64/videoFrame/readFrame'
import { videoModeTitles } from '@shared/c64/video'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { table, toned } from '../../printed'
import { machineGroup as group } from './group'

export const machineFrame = defineCommand({
  group,
  name: 'frame',
  summary: 'Show what a frame draws: multiplexed sprites, and splits with their raster lines.',
  details:
    'Waits for the first raster line of a frame, follows what the program writes to the VIC-II for that frame, then leaves the machine as it was: running or paused. A sprite that is used again further down is listed again. Sprites that are never displayed are left out, those under the border say so. Lines are raster lines; the first line of the screen is 51. VICE is held at each write for a moment. A change in the middle of a line counts from that line or the next one.',
  options: { machine: machine('The machine to follow.') },
  data: {
    machine: 'the machine’s name',
    sprites:
      '[{ sprite, firstLine, lastLine, x, y, pointer, address, mode, size, priority, colours, inBorder, changes }]; in the order in which they begin; changes while one is shown: line, part, to',
    bands:
      '[{ firstLine, lastLine, mode, screen, characters, bitmap, scrollX, scrollY, columns, rows, display, border, backgrounds, inBorder, changed }]; from the top; changed: registers that differ from the band above',
    writes: 'how often something changed',
    cut: 'true where the frame is not whole',
    cost: '{ stops, ms }: how often and how long the machine was held; null where it was not',
    notes: 'texts',
  },
  examples: ['frame', 'frame --json'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const frame = await session.client.call('running.videoFrame', { machine }, signal)
    const { sprites, bands } = readFrame(frame)
    const notes = frameNotes(frame)
    output.result(
      {
        machine,
        sprites: sprites.map(spriteData),
        bands: bands.map(bandData),
        writes: frame.changes.length,
        cut: frame.isCut,
        cost: frame.cost,
        notes,
      },
      [
        spriteCountText(sprites),
        table([['sprite', 'lines', 'place', 'data', 'mode', 'colours', 'priority', ''], ...sprites.map(spriteCells)]),
        table([
          ['lines', 'shows', 'changed'],
          ...groupBands(bands).map((group) => [linesText(group), bandText(group), changedText(group)]),
        ]),
        ...notes.map((note) => (frame.isCut ? toned('notice', note) : note)),
      ],
    )
    return EXIT_OK
  },
})

function spriteData(sprite: FrameSprite) {
  const { n, firstLine, lastLine, x, y, pointer, address, inBorder, changes } = sprite
  const { mode, size, priority } = describeSprite(sprite, true)
  return {
    sprite: n,
    firstLine,
    lastLine,
    x,
    y,
    pointer,
    address: formatAddress(address),
    mode,
    size,
    priority,
    colours: spriteColours(sprite).map(({ text }) => text),
    inBorder,
    changes,
  }
}

function spriteCells(sprite: FrameSprite): string[] {
  const { position, address, mode, size, priority, note } = describeSprite(sprite, true)
  const notes = [sprite.inBorder ? 'under the border' : '', spriteChangesText(sprite), note]
  return [
    String(sprite.n),
    linesText(sprite),
    position,
    address,
    `${mode} ${size}`,
    spriteColours(sprite)
      .map(({ text }) => text)
      .join(', '),
    priority,
    notes.filter(Boolean).join('; '),
  ]
}

function bandData({ firstLine, lastLine, video, border, backgrounds, inBorder, changed }: FrameBand) {
  const { mode, screen, characters, bitmap, scrollX, scrollY, columns, rows, displayOn } = video
  return {
    firstLine,
    lastLine,
    mode: videoModeTitles[mode],
    screen: formatAddress(screen),
    characters: formatAddress(characters),
    bitmap: formatAddress(bitmap),
    scrollX,
    scrollY,
    columns,
    rows,
    display: displayOn,
    border: colourName(border),
    backgrounds: backgrounds.map(colourName),
    inBorder,
    changed: changed.map(formatAddress),
  }
}
