/** What an agent’s model reads and writes, in tokens: the list of tools, and finding the first bug of docs/find-the-bug.md in two ways. */
import { resolve } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { z } from 'zod'
import { ask } from './mcpClient'

const practice = resolve('out/resources/c64/practice')
/** The options of a server that may run the program. */
export const walkRights = ['--allow', 'change', '--allow', 'files', '--folder', practice] as const

/** Name, description and arguments of each: what clients give their models. */
export async function toolListTokens(client: Client): Promise<number> {
  const { tools } = await client.listTools()
  return countTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  )
}

export interface Walk {
  readonly tokens: number
  readonly calls: number
  /** The last answer. */
  readonly found: string
}

const program = { op: 'file', file: `${practice}/wild-write.prg` }

/** With what Bridgedeck says of the program by itself. */
export async function walkWithAnswers(client: Client): Promise<Walk> {
  const walk = new Counted(client)
  await walk.ask('run', { ...program, screen: true })
  await walk.ask('memory', { op: 'why', address: 'lives' })
  await walk.ask('debug', { op: 'disassemble', address: 'leaveTrail', count: 12 })
  return walk.result()
}

const bytesRead = z.object({ bytes: z.string() })

/** With bytes in hex, checkpoints and registers alone: the screen, the program, the digit, and who writes the byte behind it. */
export async function walkWithHex(client: Client): Promise<Walk> {
  const walk = new Counted(client)
  const read = (address: string, length: number) =>
    walk.ask('memory', { op: 'read', address, length }, (data) => bytesRead.parse(data).bytes)
  await walk.ask('run', program)
  await read('$0400', 1000)
  await read('$0801', 173)
  await read('$0478', 40)
  await walk.ask('debug', { op: 'checkpoint', range: '$08ad', on: 'store' })
  // Nothing runs there: the checkpoint ends it, and the answer has the registers.
  await walk.ask('debug', { op: 'step', to: '$0002' })
  return walk.result()
}

class Counted {
  readonly #client: Client
  #tokens = 0
  #calls = 0
  #found = ''

  constructor(client: Client) {
    this.#client = client
  }

  /** @param shown what of the answer’s data is counted in place of its text */
  async ask(tool: string, given: Record<string, unknown>, shown?: (data: unknown) => string): Promise<void> {
    const { text, data, isError } = await ask(this.#client, tool, { ...given, ...(shown ? { raw: true } : {}) })
    if (isError) throw new Error(`${tool} was refused: ${text}`)
    this.#found = shown ? shown(data) : text
    this.#calls++
    this.#tokens += countTokens(`${tool} ${JSON.stringify(given)}`) + countTokens(this.#found)
  }

  result(): Walk {
    return { tokens: this.#tokens, calls: this.#calls, found: this.#found }
  }
}
