/** The Ultimate's REST calls as functions: what each takes, what it answers. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { ConfigurationItem, Drive, StreamKind } from '@shared/contract/machine'
import type { C64Key } from '@shared/c64/keyboardMatrix'
import { formatAddress } from '@shared/c64/address'
import { plainText } from './json'
import { pathPart, type RestClient, type RestRequest } from './rest'

export interface UltimateInfo {
  readonly product: string
  readonly firmware: string
  readonly hostname: string | null
  readonly uniqueId: string | null
}

/** Events of `machine:input`; at most {@link MAX_EVENTS} go into one call. */
export type InputEvent =
  | { readonly kind: 'keyboard'; readonly inputs: readonly C64Key[]; readonly transition: 'press' | 'release' | 'tap' }
  | {
      readonly kind: 'joystick'
      readonly port: 1 | 2
      readonly inputs: readonly string[]
      readonly transition: 'press' | 'release'
    }
  | { readonly kind: 'release_all' }

export interface FileInfo {
  readonly filename: string
  readonly size: number | null
}

/** Named by what it does with the file that it gets. */
export type Runner = 'run_prg' | 'load_prg' | 'run_crt' | 'sidplay' | 'modplay'

/** Larger writes by PUT are refused. */
const MOST_IN_PUT = 128

/** Starting a program takes two seconds, and a large upload some more. */
const RUN_DEADLINE = 15_000
/** Rebooting took 150 ms, and mounting an image about as long as its upload. */
const SLOW_DEADLINE = 10_000
/** The device asks for ten times 100 ms who has our address, and answers only then. */
const STREAM_DEADLINE = 5_000

const octets = 'application/octet-stream'

const text = z.string().transform(plainText)
const optionalText = text.nullish().transform((value) => value ?? null)

const infoSchema = z
  .looseObject({ product: text, firmware_version: text, hostname: optionalText, unique_id: optionalText })
  .transform(({ product, firmware_version, hostname, unique_id }) => ({
    product,
    firmware: firmware_version,
    hostname,
    uniqueId: unique_id,
  }))

const versionSchema = z.looseObject({ version: text })
const categoriesSchema = z.looseObject({ categories: z.array(z.string().max(200)).max(200) })

const flag = z.union([z.boolean(), z.number().transform((value) => value !== 0)])
const driveDetails = z.looseObject({
  enabled: flag.optional(),
  bus_id: z.int().min(0).max(31).optional().catch(undefined),
  type: text.optional(),
  image_file: text.optional(),
  image_path: text.optional(),
})
const drivesSchema = z.looseObject({ drives: z.array(z.record(z.string(), driveDetails)) })

const setting = z.union([z.string(), z.number()])
const detailedItem = z.looseObject({
  current: setting,
  values: z.array(z.string()).optional(),
  presets: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
})
type DetailedItem = z.infer<typeof detailedItem>
const itemSchema = z.union([setting.transform((current): DetailedItem => ({ current })), detailedItem])
const fileSchema = z.looseObject({
  files: z.looseObject({ filename: z.string().optional(), size: z.number().optional() }),
})
const anyObject = z.looseObject({})

/** What the REST calls call a drive, by what `GET /v1/drives` calls it. */
const driveNames: Partial<Record<string, string>> = { 'IEC Drive': 'softiec', 'Printer Emulation': 'printer' }
/** The calls for drives know `a`, `b` and `softiec`; of another device, such as the printer, the list merely tells. */
const driveRoles: Partial<Record<string, Drive['role']>> = { a: 'floppy', b: 'floppy', softiec: 'folder' }

export class UltimateApi {
  readonly #rest: RestClient

  constructor(rest: RestClient) {
    this.#rest = rest
  }

  // What it is

  /** Throws UNREACHABLE where something else answers. The firmware is unknown before 3.12, which has no call for it. */
  async identify(signal: AbortSignal): Promise<UltimateInfo> {
    try {
      return await this.#rest.sendForJson(
        { method: 'GET', path: '/v1/info', does: 'say what it is' },
        infoSchema,
        signal,
      )
    } catch (error) {
      if (!(error instanceof AppError) || !['UNSUPPORTED', 'INTERNAL'].includes(error.code)) throw error
      const isOld = error.code === 'UNSUPPORTED' && (await this.#hasVersion(signal))
      if (isOld) return { product: 'Ultimate', firmware: 'before 3.12', hostname: null, uniqueId: null }
      throw new AppError('UNREACHABLE', `What answers at ${this.#rest.where} is not an Ultimate.`, {
        hint: 'Check the address: the Ultimate shows its own in its menu (F5, System Information).',
      })
    }
  }

  /** The cheapest call there is: whether it answers. */
  async ping(signal: AbortSignal, deadline: number): Promise<void> {
    await this.#rest.send({ method: 'GET', path: '/v1/version', does: 'answer', deadline }, signal)
  }

  async #hasVersion(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#rest.sendForJson(
        { method: 'GET', path: '/v1/version', does: 'tell its version' },
        versionSchema,
        signal,
      )
      return true
    } catch (error) {
      if (error instanceof AppError && ['UNSUPPORTED', 'INTERNAL'].includes(error.code)) return false
      throw error
    }
  }

  // Memory

  /** 1 to 65,536 bytes of what the CPU sees. The CPU stands still for about a cycle a byte. */
  async readMemory(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const does = `read memory ${formatAddress(address)}-${formatAddress(address + length - 1)}`
    const reply = await this.#rest.send(
      { method: 'GET', path: '/v1/machine:readmem', query: { address: hex(address), length }, does },
      signal,
    )
    if (reply.bytes.length === length && !reply.isJson) return reply.bytes
    throw new AppError(
      'LOST',
      `The Ultimate at ${this.#rest.where} was to ${does} and sent ${reply.bytes.length} bytes of something else.`,
      {
        hint: 'Try again.',
      },
    )
  }

  async writeMemory(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const does = `write memory ${formatAddress(address)}-${formatAddress(address + bytes.length - 1)}`
    const path = '/v1/machine:writemem'
    const request: RestRequest =
      bytes.length <= MOST_IN_PUT
        ? { method: 'PUT', path, query: { address: hex(address), data: Buffer.from(bytes).toString('hex') }, does }
        : { method: 'POST', path, query: { address: hex(address) }, body: { type: octets, bytes }, does }
    await this.#rest.send(request, signal)
  }

  // The machine

  pause = (signal: AbortSignal): Promise<void> => this.#put('machine:pause', 'pause', signal)
  resume = (signal: AbortSignal): Promise<void> => this.#put('machine:resume', 'resume', signal)
  reset = (signal: AbortSignal): Promise<void> => this.#put('machine:reset', 'reset the C64', signal)
  pressMenuButton = (signal: AbortSignal): Promise<void> =>
    this.#put('machine:menu_button', 'press its menu button', signal)
  reboot = (signal: AbortSignal): Promise<void> =>
    this.#put('machine:reboot', 'reboot', signal, { deadline: SLOW_DEADLINE })

  /** It may be off before it answers. */
  async powerOff(signal: AbortSignal): Promise<void> {
    try {
      await this.#put('machine:poweroff', 'switch itself off', signal)
    } catch (error) {
      if (!(error instanceof AppError) || !['LOST', 'TIMEOUT'].includes(error.code)) throw error
    }
  }

  /** The register at $D7FF; U64 only. */
  readDebugRegister(signal: AbortSignal): Promise<number> {
    return this.#debugRegister({ method: 'GET' }, 'read its debug register', signal)
  }

  /** Answers what the register holds then. */
  writeDebugRegister(value: number, signal: AbortSignal): Promise<number> {
    return this.#debugRegister({ method: 'PUT', query: { value: hexByte(value) } }, 'write its debug register', signal)
  }

  async #debugRegister(
    request: Pick<RestRequest, 'method' | 'query'>,
    does: string,
    signal: AbortSignal,
  ): Promise<number> {
    const schema = z.looseObject({ value: z.string().regex(/^[0-9a-f]{1,2}$/i) })
    const { value } = await this.#rest.sendForJson({ ...request, path: '/v1/machine:debugreg', does }, schema, signal)
    return Number.parseInt(value, 16)
  }

  // Programs

  /** Hands over a file and runs, loads or plays it. */
  async run(runner: Runner, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const path = `/v1/runners:${runner}`
    await this.#rest.send(
      { method: 'POST', path, body: { type: octets, bytes }, does: `start ${name}`, deadline: RUN_DEADLINE },
      signal,
    )
  }

  /** Runs, loads or plays a file of the device's own storage. */
  async runStored(runner: Runner, file: string, signal: AbortSignal): Promise<void> {
    const path = `/v1/runners:${runner}`
    await this.#rest.send(
      { method: 'PUT', path, query: { file }, does: `start ${file}`, deadline: RUN_DEADLINE },
      signal,
    )
  }

  // Input

  /** Throws UNSUPPORTED where keys and joysticks cannot be worked: before 3.15, and on cartridges. */
  async readInput(signal: AbortSignal): Promise<void> {
    await this.#rest.sendForJson(
      { method: 'GET', path: '/v1/machine:input', does: 'tell which keys it holds' },
      anyObject,
      signal,
    )
  }

  async sendInput(events: readonly InputEvent[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < events.length; at += MAX_EVENTS) {
      const bytes = new TextEncoder().encode(JSON.stringify({ events: events.slice(at, at + MAX_EVENTS) }))
      const body = { type: 'application/json', bytes } as const
      await this.#rest.send({ method: 'POST', path: '/v1/machine:input', body, does: 'press keys' }, signal)
    }
  }

  // Drives

  async drives(signal: AbortSignal): Promise<Drive[]> {
    const { drives } = await this.#rest.sendForJson(
      { method: 'GET', path: '/v1/drives', does: 'list its drives' },
      drivesSchema,
      signal,
    )
    return drives
      .flatMap((entry) => Object.entries(entry))
      .map(([name, { enabled, bus_id, type, image_file, image_path }]) => {
        const drive =
          (driveNames[name] ?? name)
            .toLowerCase()
            .replaceAll(/[^a-z0-9]/g, '')
            .slice(0, 20) || 'unnamed'
        return {
          drive,
          role: driveRoles[drive] ?? 'other',
          enabled: enabled ?? false,
          busId: bus_id ?? null,
          type: type?.slice(0, 40) ?? null,
          image: image_file === undefined || image_file === '' ? null : `${image_path ?? ''}${image_file}`,
        }
      })
  }

  /** An image of the device's own storage. */
  async mountStored(
    drive: string,
    image: { path: string; type: string },
    mode: string,
    signal: AbortSignal,
  ): Promise<void> {
    const query = { image: image.path, type: image.type, mode }
    const does = `put ${image.path} into drive ${drive}`
    await this.#rest.send(
      { method: 'PUT', path: `/v1/drives/${pathPart(drive)}:mount`, query, does, deadline: SLOW_DEADLINE },
      signal,
    )
  }

  /** An image that goes along. */
  async mount(
    drive: string,
    image: { name: string; type: string; bytes: Uint8Array },
    mode: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, type, bytes } = image
    const path = `/v1/drives/${pathPart(drive)}:mount`
    const does = `put ${name} into drive ${drive}`
    await this.#rest.send(
      { method: 'POST', path, query: { type, mode }, body: asForm(name, bytes), does, deadline: SLOW_DEADLINE },
      signal,
    )
  }

  remove = (drive: string, signal: AbortSignal): Promise<void> =>
    this.#drive(drive, 'remove', `take the disk out of drive ${drive}`, signal)
  resetDrive = (drive: string, signal: AbortSignal): Promise<void> =>
    this.#drive(drive, 'reset', `reset drive ${drive}`, signal)

  setDriveEnabled(drive: string, enabled: boolean, signal: AbortSignal): Promise<void> {
    return this.#drive(drive, enabled ? 'on' : 'off', `switch drive ${drive} ${enabled ? 'on' : 'off'}`, signal)
  }

  setDriveMode(drive: string, mode: string, signal: AbortSignal): Promise<void> {
    return this.#drive(drive, 'set_mode', `make drive ${drive} a ${mode}`, signal, { mode })
  }

  async #drive(
    drive: string,
    command: string,
    does: string,
    signal: AbortSignal,
    query: RestRequest['query'] = {},
  ): Promise<void> {
    await this.#rest.send(
      { method: 'PUT', path: `/v1/drives/${pathPart(drive)}:${command}`, query, does, deadline: SLOW_DEADLINE },
      signal,
    )
  }

  // Configuration

  async categories(signal: AbortSignal): Promise<string[]> {
    const request: RestRequest = { method: 'GET', path: '/v1/configs', does: 'list its configuration' }
    return (await this.#rest.sendForJson(request, categoriesSchema, signal)).categories
  }

  /** The items of a category, without what they may be set to. */
  readConfiguration(category: string, signal: AbortSignal): Promise<ConfigurationItem[]> {
    return this.#configuration(`/v1/configs/${pathPart(category)}`, category, signal)
  }

  /** The items of a category with what each may be set to. */
  describeConfiguration(category: string, signal: AbortSignal): Promise<ConfigurationItem[]> {
    return this.#configuration(`/v1/configs/${pathPart(category)}/*`, category, signal)
  }

  async setConfiguration(category: string, item: string, value: string | number, signal: AbortSignal): Promise<void> {
    const path = `/v1/configs/${pathPart(category)}/${pathPart(item)}`
    await this.#rest.send({ method: 'PUT', path, query: { value }, does: `set “${item}” to ${value}` }, signal)
  }

  async #configuration(path: string, category: string, signal: AbortSignal): Promise<ConfigurationItem[]> {
    const request: RestRequest = { method: 'GET', path, does: `read its configuration “${category}”` }
    const answer = await this.#rest.sendForJson(request, z.record(z.string(), z.unknown()), signal)
    // An unknown category is no error for it: the answer then holds nothing.
    const found = Object.entries(answer).find(
      ([name]) => name !== 'errors' && name.toLowerCase() === category.toLowerCase(),
    )
    if (!found) {
      throw new AppError('NOT_FOUND', `The Ultimate at ${this.#rest.where} has no configuration “${category}”.`, {
        hint: 'Choose one that it lists.',
      })
    }
    const items = z.record(z.string(), z.unknown()).safeParse(found[1]).data ?? {}
    return Object.entries(items).flatMap(([item, value]) => {
      const parsed = itemSchema.safeParse(value).data
      return parsed ? [describeItem(item, parsed)] : []
    })
  }

  // Files

  async fileInfo(path: string, signal: AbortSignal): Promise<FileInfo> {
    const request: RestRequest = { method: 'GET', path: `${filePath(path)}:info`, does: `look at ${path}` }
    const { files } = await this.#rest.sendForJson(request, fileSchema, signal)
    return { filename: files.filename ?? path.split('/').at(-1) ?? path, size: files.size ?? null }
  }

  async createImage(
    kind: 'd64' | 'd71' | 'd81' | 'dnp',
    path: string,
    title: string,
    signal: AbortSignal,
  ): Promise<void> {
    // Only a DNP has no size of its own; 255 is its largest.
    const tracks = kind === 'dnp' ? 255 : undefined
    const diskname = title === '' ? undefined : title
    const request: RestRequest = {
      method: 'PUT',
      path: `${filePath(path)}:create_${kind}`,
      query: { tracks, diskname },
      does: `create ${path}`,
    }
    await this.#rest.send({ ...request, deadline: RUN_DEADLINE }, signal)
  }

  // Streams

  /** `to` is `host:port`. The first start takes a second where the device does not know that host yet. */
  startStream(stream: StreamKind, to: string, signal: AbortSignal): Promise<void> {
    return this.#stream(stream, 'start', signal, { ip: to })
  }

  stopStream(stream: StreamKind, signal: AbortSignal): Promise<void> {
    return this.#stream(stream, 'stop', signal)
  }

  async #stream(
    stream: StreamKind,
    command: 'start' | 'stop',
    signal: AbortSignal,
    query: RestRequest['query'] = {},
  ): Promise<void> {
    const path = `/v1/streams/${stream}:${command}`
    await this.#rest.send(
      { method: 'PUT', path, query, does: `${command} its ${stream} stream`, deadline: STREAM_DEADLINE },
      signal,
    )
  }

  async #put(
    command: string,
    does: string,
    signal: AbortSignal,
    more: Pick<RestRequest, 'deadline'> = {},
  ): Promise<void> {
    await this.#rest.send({ method: 'PUT', path: `/v1/${command}`, does, ...more }, signal)
  }
}

/** A file with its name, which a body of nothing but bytes has not. */
function asForm(name: string, bytes: Uint8Array): NonNullable<RestRequest['body']> {
  const boundary = `bridgedeck-${randomUUID()}`
  const plainName = name.replaceAll(/[^\w.() -]/g, '_')
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plainName}"\r\nContent-Type: ${octets}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

const MAX_EVENTS = 64

/** Bare: with a `$` before them the device takes digits for 0. */
const hex = (address: number): string => address.toString(16).padStart(4, '0')
const hexByte = (value: number): string => value.toString(16).padStart(2, '0')

const filePath = (path: string): string =>
  [
    '/v1/files',
    ...path
      .split('/')
      .filter((part) => part !== '')
      .map(pathPart),
  ].join('/')

function describeItem(item: string, { current, values, presets, min, max }: DetailedItem): ConfigurationItem {
  return {
    item: item.slice(0, 200),
    value: typeof current === 'string' ? current.slice(0, 1_000) : current,
    choices: values ?? presets ?? null,
    minimum: min ?? null,
    maximum: max ?? null,
  }
}
