import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Output } from '@shared/contract/contract'
import type { PresetName } from '@shared/agentPresets'
import type { TokenUse } from '@shared/contract/agents'
import { toFailure } from '@shared/contract/errors'
import { describeFileError } from '../../files/fileErrors'
import { priceTurn } from './priceTurn'
import { readPrices, type PricesRead } from './readPrices'

const NAME = 'prices.yaml'
const MAX_BYTES = 256 * 1024

interface UsedTurn {
  readonly uses: readonly TokenUse[]
  readonly cost: number | null
}

export class PriceFile {
  readonly path: string

  constructor(dataFolder: string) {
    this.path = join(dataFolder, NAME)
  }

  get shown(): Output<'agents.prices'> {
    const read = this.#read()
    return {
      path: this.path,
      isThere: existsSync(this.path),
      prices: 'problem' in read ? [] : [...read.prices],
      problem: 'problem' in read ? read.problem : null,
    }
  }

  get problem(): string | null {
    const read = this.#read()
    return 'problem' in read ? read.problem : null
  }

  costOf(
    { uses, cost }: UsedTurn,
    agent: { readonly preset: PresetName; readonly model: string | null },
  ): { readonly cost: number | null; readonly pricesOf?: string } {
    if (cost !== null || uses.length === 0) return { cost }
    const read = this.#read()
    return ('problem' in read ? undefined : priceTurn(read.prices, uses, agent)) ?? { cost }
  }

  create(): void {
    if (existsSync(this.path)) return
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      writeFileSync(this.path, INSTRUCTIONS, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      throw describeFileError(error, NAME, 'written')
    }
  }

  #read(): PricesRead {
    const found = statSync(this.path, { throwIfNoEntry: false })
    if (!found) return { prices: [] }
    if (!found.isFile()) return { problem: `${NAME} is no file.` }
    if (found.size > MAX_BYTES) return { problem: `${NAME} has more than ${MAX_BYTES / 1024} KiB.` }
    try {
      return readPrices(NAME, readFileSync(this.path, 'utf8'))
    } catch (error) {
      return { problem: toFailure(describeFileError(error, NAME, 'read')).message }
    }
  }
}

const INSTRUCTIONS = `# Your prices of models, for turns whose agent does not tell what they cost.
# The first entry whose model fits counts; * stands for any characters. USD for a million tokens: input (without what
# came from the cache), output, cachedRead (from the cache), cachedWrite (into the cache). Give the day on which you looked the
# prices up, and where. Where no model is known, the program's name stands for it: codex, gemini, claude.
#
# - model: MODEL-*
#   input: USD
#   output: USD
#   cachedRead: USD
#   cachedWrite: USD
#   date: YYYY-MM-DD
#   source: where the prices are published
`
