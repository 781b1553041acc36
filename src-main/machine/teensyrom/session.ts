import { AppError } from '@shared/contract/errors'
import type { Capability } from '@shared/contract/machine'
import type { LinkAddress } from '@shared/contract/machineName'
import type { ByteStream } from '../bytestream/byteStream'
import { identify } from '../bytestream/identify'
import { describeLink, open } from '../bytestream/open'
import type { DeviceSession } from '../deviceMachine'
import { TeensyRomClient } from './client'
import { isAtLeast, type Version } from './codec'

/** A booting device sends texts by itself, so a request may have to be repeated. */
const MAX_ATTEMPTS = 3

const FOREIGN_HINT = 'Check the port or the address. A TeensyROM that is just starting answers a few seconds later.'

/** In older versions a read can hang while the screen is blanked. */
const SAFE_WITH_BLANK_SCREEN = [0, 8]

interface Identity {
  readonly firmware: 'full' | 'minimal'
  readonly version: Version
  readonly noMemory: string | null
}

export class TeensyRomSession implements DeviceSession {
  readonly client: TeensyRomClient
  readonly firmware: Identity['firmware']
  readonly version: Version
  readonly noMemory: string | null
  readonly #stream: ByteStream

  constructor(stream: ByteStream, client: TeensyRomClient, { firmware, version, noMemory }: Identity) {
    this.#stream = stream
    this.client = client
    this.firmware = firmware
    this.version = version
    this.noMemory = noMemory
  }

  get silence(): AppError | null {
    return this.client.silence
  }

  onLost(listener: (reason: AppError) => void): void {
    this.#stream.onClose(listener)
  }
}

export async function openSession(link: LinkAddress, signal: AbortSignal): Promise<TeensyRomSession> {
  const where = describeLink(link)
  const stream = await open(link, signal)
  const client = new TeensyRomClient(stream, where)
  try {
    const protocol = { name: 'TeensyROM’s protocol', where, hint: FOREIGN_HINT }
    return await identify(
      stream,
      protocol,
      () => client.hasAnswered,
      signal,
      (until) => meet(stream, client, until),
    )
  } catch (error) {
    await client.close()
    throw error
  }
}

export function unsupportedBy({ firmware, noMemory }: TeensyRomSession) {
  if (noMemory === null) return {}
  return {
    readMemory: noMemory,
    writeMemory: noMemory,
    typeText: `Typing needs access to the C64’s memory. ${noMemory}`,
    ...(firmware === 'minimal' ? { files: MINIMAL, folders: MINIMAL, runFile: MINIMAL, pause: MINIMAL } : {}),
  } satisfies Partial<Record<Capability, string>>
}

/** @throws AppError TIMEOUT, LOST or CONFLICT where the answer is not a TeensyROM's */
async function meet(stream: ByteStream, client: TeensyRomClient, signal: AbortSignal): Promise<TeensyRomSession> {
  await client.settle(signal)
  const firmware = await retry(client, signal, () => client.firmware(signal))
  const version = await retry(client, signal, () => client.version(signal))
  const noMemory =
    firmware === 'minimal' ? MINIMAL : await retry(client, signal, () => whyNoMemory(client, version, signal))
  return new TeensyRomSession(stream, client, { firmware, version, noMemory })
}

async function retry<Result>(
  client: TeensyRomClient,
  signal: AbortSignal,
  request: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      const mayBeBooting = error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'CONFLICT')
      if (!mayBeBooting || attempt === MAX_ATTEMPTS) throw error
      await client.settle(signal)
    }
  }
}

const MINIMAL =
  'A large cartridge is running with TeensyROM’s minimal firmware, which cannot access memory or files. Reset the C64 to its menu and connect again.'

async function whyNoMemory(client: TeensyRomClient, version: Version, signal: AbortSignal): Promise<string | null> {
  const rejection = await client.probeMemory(signal)
  if (rejection === null) return null
  const isPlus = version.text.includes('+')
  const needed = isPlus ? 'firmware 0.7.2.5 or later' : 'a TeensyROM+'
  return `${version.text || 'This TeensyROM'} cannot access the C64’s memory; this needs ${needed}.`
}

export function noticesOf({ version, noMemory }: TeensyRomSession): string[] {
  const notices: string[] = []
  if (noMemory === null && !isAtLeast(version, SAFE_WITH_BLANK_SCREEN)) {
    notices.push(
      'With TeensyROM firmware before 0.8, reading memory while a program blanks the screen can hang the C64 until it is switched off. Switch sampling off for such programs.',
    )
  }
  if (version.isC128) notices.push('This is a C128, where TeensyROM’s writes to memory occasionally fail.')
  return notices
}
