/**
 * A stand-in for the FTP file service of an Ultimate, written from its firmware: commands of three or four letters,
 * passive mode only, MLSD with its own facts, disk images listed as folder and as file, replies that tell little. It can be
 * told to misbehave.
 */
import { createServer, type Server, type Socket } from 'node:net'

export interface FtpOptions {
  /** What every listing says; null for the files there are. */
  readonly listing: Uint8Array | null
  /** Empty: any is taken. */
  readonly password: string
  /**
   * `silent`: never greets; `notFtp`: greets as a web server; `dropsTransfer`: closes data and control in the middle;
   * `hangsTransfer`: accepts the data connection and says nothing; `full`: takes half of a file, then 452;
   * `oddListing`: lines that nobody can read, hostile names; `flood`: a listing without end; `foreignData`: names another
   * host for the data; `tooMany`: 421 at once; `lowerFeatures`: no MLSD, LIST only.
   */
  readonly fault:
    | 'silent'
    | 'notFtp'
    | 'dropsTransfer'
    | 'hangsTransfer'
    | 'full'
    | 'oddListing'
    | 'flood'
    | 'foreignData'
    | 'tooMany'
    | 'lowerFeatures'
    | null
}

export interface FtpPeer {
  readonly port: number
  /** Files by their paths; their folders exist by that. */
  readonly files: Map<string, Buffer>
  /** Every command, passwords hidden. */
  readonly commands: string[]
  change(options: Partial<FtpOptions>): void
  stop(): Promise<void>
}

const listen = (server: Server): Promise<number> =>
  new Promise((listening) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      listening(address !== null && typeof address === 'object' ? address.port : 0)
    }),
  )

export async function startFtp(first: Partial<FtpOptions> = {}): Promise<FtpPeer> {
  let options: FtpOptions = { listing: null, password: '', fault: null, ...first }
  const files = new Map<string, Buffer>()
  const commands: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    track(open, socket)
    new Session(socket, { files, commands, open, options: () => options }).start()
  })
  const port = await listen(server)
  return {
    port,
    files,
    commands,
    change: (changes) => {
      options = { ...options, ...changes }
    },
    stop: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => open.delete(socket))
}

interface World {
  readonly files: Map<string, Buffer>
  readonly commands: string[]
  readonly open: Set<Socket>
  options(): FtpOptions
}

class Session {
  readonly #socket: Socket
  readonly #world: World
  #isIn = false
  #data: { readonly server: Server; readonly connected: Promise<Socket> } | undefined
  #rest = ''
  /** One command after the other, as the device's task does. */
  #work: Promise<void> = Promise.resolve()

  constructor(socket: Socket, world: World) {
    this.#socket = socket
    this.#world = world
  }

  start(): void {
    const { fault } = this.#world.options()
    if (fault === 'silent') return
    if (fault === 'notFtp') {
      this.#socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      return
    }
    if (fault === 'tooMany') {
      this.#socket.end('421 Service not available, closing control connection.\r\n')
      return
    }
    this.#say('220 Ultimate-II FTP: IP = 127.0.0.1. Hello')
    this.#socket.on('data', (bytes) => {
      this.#rest += bytes.toString('utf8')
      const lines = this.#rest.split(/[\r\n]+/)
      this.#rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') this.#work = this.#work.then(() => this.#take(line))
    })
    this.#socket.on('close', () => this.#data?.server.close())
  }

  #say(text: string): void {
    this.#socket.write(`${text}\r\n`)
  }

  async #take(line: string): Promise<void> {
    const [, name = '', argument = ''] = /^([A-Za-z]{1,4}) ?(.*)$/s.exec(line) ?? []
    const command = name.toUpperCase()
    this.#world.commands.push(command === 'PASS' ? 'PASS' : line)
    if (!this.#isIn && !['USER', 'PASS', 'FEAT', 'QUIT'].includes(command)) {
      this.#say('530 Not logged in.')
      return
    }
    switch (command) {
      case 'USER':
        this.#say('331 User name okay, need password.')
        break
      case 'PASS': {
        const { password } = this.#world.options()
        this.#isIn = password === '' || argument === password
        this.#say(this.#isIn ? '230 User logged in, proceed.' : '530 Not logged in.')
        break
      }
      case 'FEAT':
        this.#say(
          this.#world.options().fault === 'lowerFeatures'
            ? '502 Command not implemented.'
            : '211-Features:\r\n MLST size*;type*;modify*\r\n MLSD\r\n211 End',
        )
        break
      case 'TYPE':
      case 'NOOP':
        this.#say('200 Command okay.')
        break
      case 'PASV':
        await this.#openData()
        break
      case 'MLSD':
      case 'LIST':
        await this.#list(command, argument)
        break
      case 'RETR':
        await this.#retrieve(argument)
        break
      case 'STOR':
        await this.#store(argument)
        break
      case 'DELE':
        this.#say(
          this.#world.files.delete(argument)
            ? '250 Requested file action okay, completed.'
            : '550 Requested action not taken.',
        )
        break
      case 'QUIT':
        this.#say('221 Goodbye.')
        this.#socket.end()
        break
      default:
        this.#say('502 Command not implemented.')
    }
  }

  async #openData(): Promise<void> {
    this.#data?.server.close()
    const server = createServer()
    const connected = new Promise<Socket>((done) =>
      server.once('connection', (socket) => {
        track(this.#world.open, socket)
        server.close()
        done(socket)
      }),
    )
    const port = await listen(server)
    this.#data = { server, connected }
    const host = this.#world.options().fault === 'foreignData' ? '10,255,255,1' : '127,0,0,1'
    this.#say(`227 Entering Passive Mode (${host},${port >> 8},${port & 0xff}).`)
  }

  /** Sends over the data connection; false where there was none, or it is not to be finished. */
  async #send(bytes: Buffer): Promise<boolean> {
    const data = this.#data
    this.#data = undefined
    if (!data) {
      this.#say('425 Can’t open data connection, use PORT or PASV first.')
      return false
    }
    this.#say('150 File status okay; about to open data connection.')
    const socket = await data.connected
    switch (this.#world.options().fault) {
      case 'hangsTransfer':
        return false
      case 'dropsTransfer':
        socket.write(bytes.subarray(0, bytes.length >> 1), () => {
          socket.destroy()
          this.#socket.destroy()
        })
        return false
      case 'flood': {
        const line = Buffer.from(`type=file;size=1; ${'x'.repeat(200)}\r\n`.repeat(200))
        const more = () => {
          while (!socket.destroyed && socket.write(line));
        }
        socket.on('drain', more)
        more()
        return false
      }
      default:
        await new Promise<void>((ended) => socket.end(bytes, () => ended()))
        return true
    }
  }

  async #list(command: 'MLSD' | 'LIST', path: string): Promise<void> {
    const { listing, fault } = this.#world.options()
    if (listing) {
      if (await this.#send(Buffer.from(listing))) this.#say('226 Closing data connection.')
      return
    }
    const folder = `/${path.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/')
    const entries = this.#entriesOf(folder)
    if (folder !== '/' && entries.length === 0) {
      this.#say('451 Requested action aborted: local error in processing.')
      return
    }
    const odd = [
      '',
      'type=',
      'type=file;size=-5; a\u0001b',
      'type=dir; ..',
      'type=file;size=x; ../../up',
      ';;;;',
      'x'.repeat(3_000),
    ]
    const lines = fault === 'oddListing' ? odd : []
    const text = [...lines, ...entries.flatMap(command === 'MLSD' ? factsOf : longOf)].map((line) => `${line}\r\n`)
    if (await this.#send(Buffer.from(text.join('')))) this.#say('226 Closing data connection.')
  }

  #entriesOf(folder: string): Entry[] {
    const entries = new Map<string, Entry>()
    for (const [path, { length }] of this.#world.files) {
      if (!path.startsWith(folder)) continue
      const [name = '', ...below] = path.slice(folder.length).split('/')
      entries.set(name, { name, size: below.length > 0 ? null : length })
    }
    return [...entries.values()]
  }

  async #retrieve(path: string): Promise<void> {
    const bytes = this.#world.files.get(path)
    if (!bytes) this.#say('550 Requested action not taken.')
    else if (await this.#send(bytes)) this.#say('226 Closing data connection.')
  }

  async #store(path: string): Promise<void> {
    const data = this.#data
    this.#data = undefined
    if (!data || path.endsWith('/')) {
      this.#say(data ? '550 Requested action not taken.' : '425 Can’t open data connection, use PORT or PASV first.')
      return
    }
    this.#say(`150 Opening BINARY mode data connection for ${path}.`)
    const socket = await data.connected
    if (this.#world.options().fault === 'hangsTransfer') return
    const pieces: Buffer[] = []
    const isFull = this.#world.options().fault === 'full'
    for await (const piece of socket as AsyncIterable<Buffer>) {
      pieces.push(piece)
      if (isFull) break
    }
    if (isFull) {
      this.#world.files.set(path, Buffer.concat(pieces))
      this.#say('452 Requested action not taken.')
    } else {
      this.#world.files.set(path, Buffer.concat(pieces))
      this.#say('226 Closing data connection.')
    }
  }
}

interface Entry {
  readonly name: string
  /** Null for a folder. */
  readonly size: number | null
}

/** As the firmware sends facts: a disk image as a folder and as a file. */
function factsOf({ name, size }: Entry): string[] {
  const folder = `type=dir;modify=20260704120000; ${name}`
  const file = `type=file;size=${size};modify=20260704120000; ${name}`
  if (size === null) return [folder]
  return /\.d64$/i.test(name) ? [folder, file] : [file]
}

const longOf = ({ name, size }: Entry): string[] => [
  `${size === null ? 'd' : '-'}rw-rw-rw-   1 user     ftp  ${String(size ?? 0).padStart(11)} Jul 04  2026 ${name}`,
]
