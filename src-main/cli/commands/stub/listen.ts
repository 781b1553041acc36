import { once } from 'node:events'
import { join } from 'node:path'
import { defineCommand } from '../../command'
import { openLineExchange } from '../../lineExchange'
import { number, withDefault } from '../../parameters'
import { stubGroup as group } from './group'

const portBounds = { min: 1, max: 65_535 }

export const stubListen = defineCommand({
  group,
  name: 'listen',
  summary: 'Connect a VICE that runs the stub to Bridgedeck, until Ctrl+C.',
  details:
    'VICE’s serial line connects to a port, and so does Bridgedeck: this listens on both and passes the bytes on. It prints the command line for VICE and the name of the machine.',
  options: {
    'vice-port': withDefault(number('PORT', 'Where VICE connects.', portBounds), 25_232),
    port: withDefault(number('PORT', 'Where Bridgedeck connects.', portBounds), 25_233),
  },
  data: {
    'machine?': 'the name to connect to',
    'vice?': 'the command line for VICE',
    'end?': 'vice or bridgedeck',
    'connected?': 'true or false',
  },
  examples: ['stub listen --vice-port 25232 --port 25233'],
  run: async ({ output, signal, resources }, { 'vice-port': vice, port }) => {
    const exchange = await openLineExchange({ vice, bridgedeck: port }, (end, isConnected) =>
      output.result(
        { end, connected: isConnected },
        `${end === 'vice' ? 'VICE' : 'Bridgedeck'} ${isConnected ? 'connected' : 'disconnected'}.`,
      ),
    )
    try {
      const machine = `stub:127.0.0.1:${exchange.ports.bridgedeck}`
      const command = [
        'x64sc -acia1 -acia1mode 2 -acia1base 0xDE00',
        `-rsdev1 127.0.0.1:${exchange.ports.vice} -myaciadev 0`,
        `-autostart '${join(resources, 'c64/stub.prg')}'`,
      ].join(' ')
      output.result(
        { machine, vice: command },
        `Start VICE with:\n    ${command}\nThen connect to: ${machine}\nCtrl+C ends the line.`,
      )
      if (!signal.aborted) await once(signal, 'abort')
      throw signal.reason
    } finally {
      await exchange.close()
    }
  },
})
