import { formatAddress } from '@shared/c64/address'
import { textToScreenCode } from '@shared/c64/screenCodes'
import { decodeVideo } from '@shared/c64/video'
import { readChipRegisters, videoRegisters } from '../../chipRegisters'
import { colour } from '../../colour'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, machine, number, required, text, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

const COLUMNS = 40
const ROWS = 25
const COLOR_RAM = 0xd800
const REVERSED = 0x80

export const machinePrint = defineCommand({
  group,
  name: 'print',
  summary: 'Write text straight into screen memory.',
  details:
    'Uses the character set with capitals and PETSCII graphics, and the screen that the VIC-II shows. A line break goes on at the same column of the next row.',
  positionals: { text: required(text('TEXT', 'What to show.')) },
  options: {
    row: withDefault(number('ROW', 'The row of its first line.', { min: 0, max: ROWS - 1 }), 0),
    column: withDefault(number('COLUMN', 'The column where its lines start.', { min: 0, max: COLUMNS - 1 }), 0),
    colour: colour('Its colour. Default: the colour that is there.'),
    reverse: flag('Reverse video.'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', address: 'of the first character', characters: 'how many' },
  examples: ["print 'GAME OVER' --row 12 --column 15 --colour red"],
  run: async ({ output, signal, openSession }, { text, row, column, colour, reverse, machine }) => {
    const lines = text.split(/\r?\n/).map((line) => codesOf(line, reverse))
    requireRoom(lines, row, column)
    const session = await openSession()
    await session.connect(machine, signal)
    const { screen } = decodeVideo(await readChipRegisters(session, { machine, ranges: videoRegisters }, signal))
    for (const [index, bytes] of lines.entries()) {
      const offset = (row + index) * COLUMNS + column
      if (bytes.length === 0) continue
      const { client } = session
      await client.call('memory.write', { machine, space: 'ram', address: screen + offset, bytes }, signal)
      const paint = new Uint8Array(bytes.length).fill(colour ?? 0)
      if (colour !== undefined)
        await client.call(
          'memory.write',
          { machine, space: 'colorRam', address: COLOR_RAM + offset, bytes: paint },
          signal,
        )
    }
    const characters = lines.reduce((sum, { length }) => sum + length, 0)
    const address = formatAddress(screen + row * COLUMNS + column)
    output.result({ machine, address, characters }, `Put ${characters} characters on the screen at ${address}.`)
    return EXIT_OK
  },
})

/** @throws UsageError for what the C64 cannot show */
function codesOf(line: string, isReverse: boolean): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Array.from(line), (character) => {
    const code = textToScreenCode(character)
    if (code === null) throw new UsageError(`The C64 has no character “${character}”.`, 'print')
    return isReverse ? code | REVERSED : code
  })
}

/** @throws UsageError for text that leaves the screen */
function requireRoom(lines: readonly Uint8Array[], row: number, column: number): void {
  const longest = Math.max(...lines.map(({ length }) => length))
  if (column + longest > COLUMNS)
    throw new UsageError(
      `A line of ${longest} characters at column ${column} is too long: a row has ${COLUMNS}.`,
      'print',
    )
  if (row + lines.length > ROWS)
    throw new UsageError(`${lines.length} lines from row ${row} are too many: the screen has ${ROWS}.`, 'print')
}
