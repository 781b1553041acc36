import { randomUUID } from 'node:crypto'
import { AppError } from '@shared/contract/errors'
import type { StreamKind } from '@shared/contract/machine'
import type { ConfigurationItem, Drive, flashActions } from '@shared/contract/machineStorage'
import type { C64Key } from '@shared/c64/keyboardMatrix'
import { formatAddress } from '@shared/c64/address'
import {
  categoriesReply,
  configurationReply,
  debugRegisterReply,
  drivesReply,
  fileReply,
  infoReply,
  inputReply,
  itemsOf,
  versionReply,
  UNKNOWN_FIRMWARE,
  type FileInfo,
  type UltimateInfo,
} from './replies'
import type { ProgramFile } from '../facets'
import { pathPart, type RestClient, type RestRequest } from './rest'

export type InputEvent =
  | { readonly kind: 'keyboard'; readonly inputs: readonly C64Key[]; readonly transition: 'press' | 'release' | 'tap' }
  | {
      readonly kind: 'joystick'
      readonly port: 1 | 2
      readonly inputs: readonly string[]
      readonly transition: 'press' | 'release'
    }
  | { readonly kind: 'release_all' }

export type Runner = 'run_prg' | 'load_prg' | 'run_crt' | 'sidplay' | 'modplay'

type FlashAction = (typeof flashActions)[number]
const flashCommands: Readonly<Record<FlashAction, { readonly command: string; readonly does: string }>> = {
  load: { command: 'load_from_flash', does: 'load its configuration from flash' },
  save: { command: 'save_to_flash', does: 'save its configuration in flash' },
  reset: { command: 'reset_to_default', does: 'reset its configuration' },
}

const MAX_EVENTS = 64

/** Larger writes by PUT are refused. */
const MAX_PUT_BYTES = 128

const RUN_DEADLINE_MS = 15_000
/** Rebooting takes 150 ms, and mounting an image about as long as its upload. */
const SLOW_DEADLINE_MS = 10_000
/** The device looks up our network address ten times, 100 ms apart, before it answers. */
const STREAM_DEADLINE_MS = 5_000

const BINARY = 'application/octet-stream'

/** The jiffy clock in the zero page: reading it changes nothing. */
const HARMLESS_ADDRESS = 0x00a0

export class UltimateApi {
  readonly #rest: RestClient

  constructor(rest: RestClient) {
    this.#rest = rest
  }

  /**
   * Firmware before 3.12 cannot identify itself. A device without even a version call, but with readable memory, counts
   * as an Ultimate too.
   * @throws AppError UNREACHABLE where something else answers
   */
  async identify(signal: AbortSignal): Promise<UltimateInfo> {
    try {
      return await this.#rest.sendForJson(
        { method: 'GET', path: '/v1/info', does: 'identify itself' },
        infoReply,
        signal,
      )
    } catch (error) {
      if (!lacksCall(error)) throw error
      const unnamed = { product: 'Ultimate', hostname: null, uniqueId: null }
      if (await this.#answers(() => this.#version(signal)))
        return { ...unnamed, firmware: error.code === 'UNSUPPORTED' ? 'before 3.12' : UNKNOWN_FIRMWARE }
      if (await this.#answers(() => this.readMemory(HARMLESS_ADDRESS, 2, signal)))
        return { ...unnamed, firmware: UNKNOWN_FIRMWARE }
      throw new AppError('UNREACHABLE', `The device at ${this.#rest.where} is not an Ultimate.`, {
        hint: 'Check the address in the Ultimate’s menu (F5, System Information).',
      })
    }
  }

  async ping(signal: AbortSignal, deadline: number): Promise<void> {
    try {
      await this.#rest.send({ method: 'GET', path: '/v1/version', does: 'answer', deadline }, signal)
    } catch (error) {
      if (!(error instanceof AppError) || error.details?.status === undefined) throw error
    }
  }

  async #version(signal: AbortSignal): Promise<void> {
    const request: RestRequest = { method: 'GET', path: '/v1/version', does: 'report its version' }
    await this.#rest.sendForJson(request, versionReply, signal)
  }

  async #answers(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call()
      return true
    } catch (error) {
      if (lacksCall(error) || (error instanceof AppError && error.code === 'LOST')) return false
      throw error
    }
  }

  /** 1 to 65,536 bytes as the CPU sees them. The CPU stops for about one cycle per byte. */
  async readMemory(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const does = `read memory ${formatAddress(address)}-${formatAddress(address + length - 1)}`
    const reply = await this.#rest.send(
      { method: 'GET', path: '/v1/machine:readmem', query: { address: hex(address), length }, does },
      signal,
    )
    if (reply.bytes.length === length && !reply.isJson) return reply.bytes
    throw new AppError(
      'LOST',
      `The Ultimate at ${this.#rest.where} did not ${does}: its reply is not ${length} bytes.`,
      {
        hint: 'Try again.',
      },
    )
  }

  async writeMemory(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const does = `write memory ${formatAddress(address)}-${formatAddress(address + bytes.length - 1)}`
    const path = '/v1/machine:writemem'
    const request: RestRequest =
      bytes.length <= MAX_PUT_BYTES
        ? { method: 'PUT', path, query: { address: hex(address), data: Buffer.from(bytes).toString('hex') }, does }
        : { method: 'POST', path, query: { address: hex(address) }, body: { type: BINARY, bytes }, does }
    await this.#rest.send(request, signal)
  }

  pause = (signal: AbortSignal): Promise<void> => this.#put('machine:pause', 'pause', signal)
  resume = (signal: AbortSignal): Promise<void> => this.#put('machine:resume', 'resume', signal)
  reset = (signal: AbortSignal): Promise<void> => this.#put('machine:reset', 'reset the C64', signal)
  pressMenuButton = (signal: AbortSignal): Promise<void> =>
    this.#put('machine:menu_button', 'press its menu button', signal)
  reboot = (signal: AbortSignal): Promise<void> =>
    this.#put('machine:reboot', 'reboot', signal, { deadline: SLOW_DEADLINE_MS })

  /** The device may be off before it answers. */
  async powerOff(signal: AbortSignal): Promise<void> {
    try {
      await this.#put('machine:poweroff', 'switch itself off', signal)
    } catch (error) {
      if (!(error instanceof AppError) || !['LOST', 'TIMEOUT'].includes(error.code)) throw error
    }
  }

  /** The register at $D7FF; U64 only. */
  readDebugRegister(signal: AbortSignal, deadline?: number): Promise<number> {
    return this.#debugRegister(
      { method: 'GET', ...(deadline === undefined ? {} : { deadline }) },
      'read its debug register',
      signal,
    )
  }

  writeDebugRegister(value: number, signal: AbortSignal): Promise<number> {
    return this.#debugRegister({ method: 'PUT', query: { value: hexByte(value) } }, 'write its debug register', signal)
  }

  #debugRegister(
    request: Pick<RestRequest, 'method' | 'query' | 'deadline'>,
    does: string,
    signal: AbortSignal,
  ): Promise<number> {
    return this.#rest.sendForJson({ ...request, path: '/v1/machine:debugreg', does }, debugRegisterReply, signal)
  }

  async run(
    runner: Runner,
    { name, bytes, song }: Pick<ProgramFile, 'name' | 'bytes' | 'song'>,
    signal: AbortSignal,
  ): Promise<void> {
    const path = `/v1/runners:${runner}`
    const body = { type: BINARY, bytes }
    await this.#rest.send(
      { method: 'POST', path, query: { songnr: song }, body, does: `start ${name}`, deadline: RUN_DEADLINE_MS },
      signal,
    )
  }

  async runStored(runner: Runner, file: string, song: number | undefined, signal: AbortSignal): Promise<void> {
    const path = `/v1/runners:${runner}`
    await this.#rest.send(
      { method: 'PUT', path, query: { file, songnr: song }, does: `start ${file}`, deadline: RUN_DEADLINE_MS },
      signal,
    )
  }

  /** @throws AppError UNSUPPORTED where keys and joysticks cannot be controlled: before 3.15, and on cartridges */
  async readInput(signal: AbortSignal, deadline?: number): Promise<void> {
    const request: RestRequest = { method: 'GET', path: '/v1/machine:input', does: 'report held keys' }
    await this.#rest.sendForJson({ ...request, ...(deadline === undefined ? {} : { deadline }) }, inputReply, signal)
  }

  async sendInput(events: readonly InputEvent[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < events.length; at += MAX_EVENTS) {
      const bytes = new TextEncoder().encode(JSON.stringify({ events: events.slice(at, at + MAX_EVENTS) }))
      const body = { type: 'application/json', bytes } as const
      await this.#rest.send({ method: 'POST', path: '/v1/machine:input', body, does: 'press keys' }, signal)
    }
  }

  drives(signal: AbortSignal): Promise<Drive[]> {
    return this.#rest.sendForJson({ method: 'GET', path: '/v1/drives', does: 'list its drives' }, drivesReply, signal)
  }

  async mountStored(
    drive: string,
    image: { path: string; type: string },
    mode: string,
    signal: AbortSignal,
  ): Promise<void> {
    const query = { image: image.path, type: image.type, mode }
    const does = `mount ${image.path} in drive ${drive}`
    await this.#rest.send(
      { method: 'PUT', path: `/v1/drives/${pathPart(drive)}:mount`, query, does, deadline: SLOW_DEADLINE_MS },
      signal,
    )
  }

  async mount(
    drive: string,
    image: { name: string; type: string; bytes: Uint8Array },
    mode: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, type, bytes } = image
    const path = `/v1/drives/${pathPart(drive)}:mount`
    const does = `mount ${name} in drive ${drive}`
    await this.#rest.send(
      { method: 'POST', path, query: { type, mode }, body: asForm(name, bytes), does, deadline: SLOW_DEADLINE_MS },
      signal,
    )
  }

  remove = (drive: string, signal: AbortSignal): Promise<void> =>
    this.#drive(drive, 'remove', `remove the disk from drive ${drive}`, signal)
  resetDrive = (drive: string, signal: AbortSignal): Promise<void> =>
    this.#drive(drive, 'reset', `reset drive ${drive}`, signal)

  setDriveEnabled(drive: string, enabled: boolean, signal: AbortSignal): Promise<void> {
    return this.#drive(drive, enabled ? 'on' : 'off', `switch drive ${drive} ${enabled ? 'on' : 'off'}`, signal)
  }

  setDriveMode(drive: string, mode: string, signal: AbortSignal): Promise<void> {
    return this.#drive(drive, 'set_mode', `change drive ${drive} to a ${mode}`, signal, { mode })
  }

  async loadDriveRom(
    drive: string,
    { name, bytes }: { name: string; bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<void> {
    const path = `/v1/drives/${pathPart(drive)}:load_rom`
    const does = `load ${name} into drive ${drive}`
    await this.#rest.send({ method: 'POST', path, body: asForm(name, bytes), does, deadline: SLOW_DEADLINE_MS }, signal)
  }

  async #drive(
    drive: string,
    command: string,
    does: string,
    signal: AbortSignal,
    query: RestRequest['query'] = {},
  ): Promise<void> {
    await this.#rest.send(
      { method: 'PUT', path: `/v1/drives/${pathPart(drive)}:${command}`, query, does, deadline: SLOW_DEADLINE_MS },
      signal,
    )
  }

  categories(signal: AbortSignal): Promise<string[]> {
    const request: RestRequest = { method: 'GET', path: '/v1/configs', does: 'list its configuration' }
    return this.#rest.sendForJson(request, categoriesReply, signal)
  }

  readConfiguration(category: string, signal: AbortSignal): Promise<ConfigurationItem[]> {
    return this.#configuration(`/v1/configs/${pathPart(category)}`, category, signal)
  }

  describeConfiguration(category: string, signal: AbortSignal): Promise<ConfigurationItem[]> {
    return this.#configuration(`/v1/configs/${pathPart(category)}/*`, category, signal)
  }

  async setConfiguration(category: string, item: string, value: string | number, signal: AbortSignal): Promise<void> {
    const path = `/v1/configs/${pathPart(category)}/${pathPart(item)}`
    await this.#rest.send({ method: 'PUT', path, query: { value }, does: `set “${item}” to ${value}` }, signal)
  }

  /** @param category null for all */
  async keepConfiguration(action: FlashAction, category: string | null, signal: AbortSignal): Promise<void> {
    const { command, does } = flashCommands[action]
    const of = category === null ? '' : `/${pathPart(category)}`
    await this.#rest.send(
      { method: 'PUT', path: `/v1/configs${of}:${command}`, does, deadline: SLOW_DEADLINE_MS },
      signal,
    )
  }

  async #configuration(path: string, category: string, signal: AbortSignal): Promise<ConfigurationItem[]> {
    const request: RestRequest = { method: 'GET', path, does: `read the configuration category “${category}”` }
    const items = itemsOf(await this.#rest.sendForJson(request, configurationReply, signal), category)
    // The device answers without an error where it does not know the category.
    if (items) return [...items]
    throw new AppError(
      'NOT_FOUND',
      `The Ultimate at ${this.#rest.where} has no configuration category “${category}”.`,
      {
        hint: 'Choose one of its categories.',
      },
    )
  }

  async fileInfo(path: string, signal: AbortSignal): Promise<FileInfo> {
    const request: RestRequest = { method: 'GET', path: `${filePath(path)}:info`, does: `read the details of ${path}` }
    const { files } = await this.#rest.sendForJson(request, fileReply, signal)
    return { filename: files.filename ?? path.split('/').at(-1) ?? path, size: files.size ?? null }
  }

  async createImage(
    kind: 'd64' | 'd71' | 'd81' | 'dnp',
    path: string,
    title: string,
    signal: AbortSignal,
  ): Promise<void> {
    // Only a DNP has no fixed size; its maximum is 255 tracks.
    const tracks = kind === 'dnp' ? 255 : undefined
    const diskname = title === '' ? undefined : title
    const request: RestRequest = {
      method: 'PUT',
      path: `${filePath(path)}:create_${kind}`,
      query: { tracks, diskname },
      does: `create ${path}`,
    }
    await this.#rest.send({ ...request, deadline: RUN_DEADLINE_MS }, signal)
  }

  /** `to` is `host:port`. The first start takes a second where the device has to look up that host's address. */
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
      { method: 'PUT', path, query, does: `${command} its ${stream} stream`, deadline: STREAM_DEADLINE_MS },
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

const lacksCall = (error: unknown): error is AppError =>
  error instanceof AppError && ['UNSUPPORTED', 'INTERNAL', 'NOT_FOUND', 'INVALID'].includes(error.code)

function asForm(name: string, bytes: Uint8Array): NonNullable<RestRequest['body']> {
  const boundary = `bridgedeck-${randomUUID()}`
  const plainName = name.replaceAll(/[^\w.() -]/g, '_')
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plainName}"\r\nContent-Type: ${BINARY}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** Without `$`: the device reads digits after it as 0. */
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
