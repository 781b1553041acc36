/** The drives of the stand-in Ultimate: what is in them and how they are set, not what is on the disks. */
interface Drive {
  enabled: boolean
  readonly bus: number
  type: string
  rom: string
  file: string
  mode: string
  bytes: Buffer
  resets: number
}

const empty = (enabled: boolean, bus: number): Drive => ({
  enabled,
  bus,
  type: '1541',
  rom: '1541.rom',
  file: '',
  mode: '',
  bytes: Buffer.alloc(0),
  resets: 0,
})

export class Drives {
  readonly #drives = new Map<string, Drive>([
    ['a', empty(true, 8)],
    ['b', empty(false, 9)],
    ['softiec', empty(false, 11)],
  ])

  has(name: string): boolean {
    return this.#drives.has(name)
  }

  #get(name: string): Drive {
    const drive = this.#drives.get(name)
    if (!drive) throw new Error(`The stand-in Ultimate has no drive ${name}.`)
    return drive
  }

  mount(name: string, file: string, bytes: Buffer, mode: string): void {
    Object.assign(this.#get(name), { file, bytes, mode })
  }

  remove(name: string): undefined {
    this.mount(name, '', Buffer.alloc(0), '')
  }

  reset(name: string): undefined {
    this.#get(name).resets += 1
  }

  enable(name: string, enabled: boolean): undefined {
    this.#get(name).enabled = enabled
  }

  setMode(name: string, type: string): void {
    this.#get(name).type = type
  }

  setRom(name: string, rom: string): void {
    this.#get(name).rom = rom
  }

  /** As `GET /v1/drives` shows them: a list of objects with one key each. */
  list(): object[] {
    const floppy = (name: string) => {
      const { enabled, bus, type, rom, file } = this.#get(name)
      const slash = file.lastIndexOf('/')
      return {
        [name]: {
          enabled,
          bus_id: bus,
          type,
          rom,
          image_file: file.slice(slash + 1),
          image_path: file.slice(0, slash + 1),
        },
      }
    }
    const { enabled, bus } = this.#get('softiec')
    return [
      floppy('a'),
      floppy('b'),
      {
        'IEC Drive': {
          bus_id: bus,
          enabled,
          type: 'DOS emulation',
          last_error: '73,U64IEC ULTIMATE DOS V1.1,00,00',
          partitions: [{ id: 0, path: '/Usb0/' }],
        },
      },
      { 'Printer Emulation': { bus_id: 4, enabled: false } },
    ]
  }

  /** Everything, for a test to look at. */
  state(): object {
    return Object.fromEntries(
      [...this.#drives].map(([name, { bytes, ...drive }]) => [name, { ...drive, size: bytes.length }]),
    )
  }
}
