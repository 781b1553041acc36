import { formatAddress } from '@shared/c64/address'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { outcomeOf, requireText } from '../../outcomes'
import { filePath, machine } from '../../parameters'
import { savePicture } from '../../picture'
import { readScreen, screenTextOf, waitOptions } from '../../screenText'
import { machineGroup as group } from './group'

export const machineScreen = defineCommand({
  group,
  name: 'screen',
  summary: 'Show the text screen, or save the screen as PNG.',
  options: {
    png: filePath('The PNG file to write.'),
    ...waitOptions,
    machine: machine('The machine to read.'),
  },
  data: {
    machine: 'the machine’s name',
    'address?': 'of the text screen',
    'rows?': '25 texts',
    'png?': 'absolute path',
    'width?': 'pixels',
    'height?': 'pixels',
  },
  examples: ['screen', 'screen --png screen.png', 'screen --wait-for ready --timeout 5'],
  run: async ({ output, signal, openSession }, { machine, png, timeout, ...values }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const wanted = values['wait-for']
    if (wanted !== undefined) {
      const request = { awaits: { text: wanted }, seconds: timeout }
      requireText(machine, { awaited: wanted, seconds: timeout }, await outcomeOf(session, machine, request, signal))
    }
    if (png) {
      const { width, height } = await savePicture(session, machine, png, signal)
      output.result({ machine, png: png.path, width, height }, `Saved the screen as ${png.written}.`)
      return EXIT_OK
    }
    const screen = await readScreen(session, machine, signal)
    output.result({ machine, address: formatAddress(screen.address), rows: screen.rows }, screenTextOf(screen))
    return EXIT_OK
  },
})
