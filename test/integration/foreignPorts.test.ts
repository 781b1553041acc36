/** Devices that take bytes and give bytes, where something else listens on the port. */
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { createEasyFlashMachine } from '../../src-main/machine/easyflash/driver'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import { soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const allowed = () => ({ budget: 1, sideEffects: false })
const program = { name: 'a.prg', path: '/a.prg', bytes: Uint8Array.of(1, 8, 0, 0) }

const kinds: readonly [string, (port: number) => Machine, (machine: Machine) => Promise<void>][] = [
  [
    'TeensyROM',
    (port) => createTeensyRomMachine({ name: 'x', link: { kind: 'tcp', host: '127.0.0.1', port }, allowed }),
    (machine) => machine.connect(soon()),
  ],
  [
    'stub',
    (port) => createStubMachine({ name: 'x', link: { kind: 'tcp', host: '127.0.0.1', port }, allowed }),
    (machine) => machine.connect(soon()),
  ],
  [
    'EasyFlash',
    (port) => createEasyFlashMachine({ name: 'x', link: { kind: 'tcp', host: '127.0.0.1', port } }),
    async (machine) => {
      await machine.connect(soon())
      await requireFacet(machine, 'runProgram').run(program, soon())
    },
  ],
]

const strangers: readonly [string, (socket: Socket) => void][] = [
  ['a web server', (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ['a banner', (socket) => socket.write('SSH-2.0-OpenSSH_9.2p1\r\n')],
  ['a banner and the end', (socket) => socket.on('data', () => socket.end()).write('220 FTP\r\n')],
  ['an echo', (socket) => socket.pipe(socket)],
  ['one byte', (socket) => socket.on('data', () => socket.write('?'))],
  ['one byte and the end', (socket) => socket.once('data', () => socket.end('!'))],
  [
    'a flood',
    (socket) => {
      const timer = setInterval(() => socket.write(Buffer.alloc(0x1000, 0x2a)), 5)
      socket.on('close', () => clearInterval(timer))
    },
  ],
  ['zeros', (socket) => socket.on('data', () => socket.write(Buffer.alloc(64)))],
]

async function serverOf(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    behave(socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

describe.each(kinds)('the port of %s where something else listens', (_kind, create, use) => {
  it.each(strangers)('%s: is said not to speak its protocol', async (_stranger, behave) => {
    const machine = create(await serverOf(behave))
    cleanUps.push(() => machine.disconnect())
    const error: unknown = await use(machine).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ message: expect.stringContaining('does not speak') as string })
  })

  it('silence is told from garbage', async () => {
    const machine = create(await serverOf(() => undefined))
    cleanUps.push(() => machine.disconnect())
    await expect(use(machine)).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('an end without a word is a lost connection', async () => {
    const machine = create(await serverOf((socket) => socket.once('data', () => socket.end())))
    cleanUps.push(() => machine.disconnect())
    await expect(use(machine)).rejects.toMatchObject({ code: 'LOST' })
  })
})
