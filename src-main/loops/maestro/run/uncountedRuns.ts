import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { LogFile } from '../../../agents/logFile'
import type { TokenUse } from '../../../formats/maestro/session/phaseChange'
import { readTokens } from '../../../formats/maestro/tokens'
import { StateText } from '../../../formats/text/stateFile'
import type { LoopWork, SpawnHooks } from '../../loop'

const UNCOUNTED = 'uncounted runs'
const runsSchema = z.array(z.object({ agent: z.string(), run: z.string() }))

/** Bytes from the end of the output, where events have their counts. */
const MAX_READ_BYTES = 4 * 1024 * 1024

export class UncountedRuns {
  readonly #work: Pick<LoopWork, 'remembered' | 'own' | 'adopt'>

  constructor(work: Pick<LoopWork, 'remembered' | 'own' | 'adopt'>) {
    this.#work = work
  }

  static readonly counted: Readonly<Record<string, null>> = { [UNCOUNTED]: null }

  follow(agent: string, follow: SpawnHooks['follow']): NonNullable<SpawnHooks['follow']> {
    return (agentRun) => {
      this.add(agent, agentRun.run)
      follow?.(agentRun)
    }
  }

  add(agent: string, run: string): void {
    const runs = this.#runs
    if (runs.some((known) => known.run === run)) return
    this.#work.remembered.set({ [UNCOUNTED]: JSON.stringify([...runs, { agent, run }]) })
  }

  async tokens(): Promise<TokenUse[]> {
    const uses: TokenUse[] = []
    for (const { agent, run } of this.#runs) uses.push(await this.#tokensOf(agent, run))
    return uses
  }

  get #runs(): z.infer<typeof runsSchema> {
    return storedJson(this.#work.remembered.get(UNCOUNTED), runsSchema) ?? []
  }

  async #tokensOf(agent: string, run: string): Promise<TokenUse> {
    const { own, adopt } = this.#work
    const copies = { output: join(own, 'answer.json'), errors: join(own, 'answer.log') }
    await rm(copies.output, { force: true })
    await adopt(agent, run, { copies })
    const { input, output, cached } = readTokens(new StateText('', await endOf(copies.output)))
    return { agent, input: input.value, output: output.value, cached: cached.value }
  }
}

async function endOf(file: string): Promise<string> {
  const log = new LogFile(file)
  try {
    const size = await log.size()
    const start = Math.max(0, size - MAX_READ_BYTES)
    const text = (await log.bytes(start, size - start)).toString()
    return start === 0 ? text : text.replace(/^.*\n?/, '')
  } finally {
    await log.close()
  }
}
