/**
 * The services of three programs' models in one server on the loopback: it plays a script, misbehaves on demand, and keeps a ledger of the
 * calls with the usage that it told.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { anthropic } from './anthropic'
import { gemini } from './gemini'
import { refuse, spoil, type Misbehaviour } from './misbehaviour'
import { openai } from './openai'
import { toolCallOf, type Asked, type Script, type Usage, type Wire } from './script'
import { streamText, type Reply, type WireFormat } from './wire'

/** A request for an answer of the model. */
export interface Call {
  readonly asked: Asked
  readonly isTask: boolean
  /** Of whom it is, where the address that it was given names it; see {@link ModelApi.urlOf}. */
  readonly run: string | null
  /** Null where it did not answer. */
  readonly usage: Usage | null
  /** What an answer had told of its usage before it was cut; null where it was not cut, or had told nothing. */
  readonly toldBeforeCut: Usage | null
  readonly misbehaviour: Misbehaviour | null
  /** Whether all of the answer went out; undefined while it is on its way. */
  readonly delivered: boolean | undefined
}

const RUN_PATH = /^\/run\/([0-9a-z-]+)(\/.*)$/

const wires = [anthropic, openai, gemini]

const usualUsage = (): Usage => ({ input: 1_000, cached: 200, output: 50 })

/** What programs ask beside their task: a title, which model is to do it. */
const ASIDE = JSON.stringify({ title: 'A task', complexity_reasoning: 'One step.', complexity_score: 1 })

export class ModelApi {
  #server: Server
  readonly #script: Script
  readonly #usageOf: () => Usage
  readonly #calls: { -readonly [Part in keyof Call]: Call[Part] }[] = []
  #ending = new AbortController()
  #port = 0
  #misbehaviour: { readonly what: Misbehaviour; left: number } | null = null
  /** What the script or a request was not up to. */
  readonly errors: unknown[] = []

  private constructor(script: Script, usageOf: () => Usage) {
    this.#script = script
    this.#usageOf = usageOf
    this.#server = this.#create()
  }

  #create(): Server {
    const ending = this.#ending.signal
    return createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        // Whoever asked may have been killed.
        if (ending.aborted || request.errored || response.closed) return
        this.errors.push(error)
        if (response.headersSent) response.destroy()
        else response.writeHead(400).end()
      })
    })
  }

  /** @param usageOf the next answer */
  static async start(script: Script, usageOf = usualUsage): Promise<ModelApi> {
    const api = new ModelApi(script, usageOf)
    await api.#listen()
    return api
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address !== null && typeof address !== 'string') this.#port = address.port
  }

  /** Cuts what is under way, is away for a while, and listens where it did. @param away ms */
  async restart(away: number): Promise<void> {
    await this.close()
    await wait(away)
    this.#ending = new AbortController()
    this.#server = this.#create()
    await this.#listen()
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** An address of its own for each run, so that the ledger has whose a request is. @param run may be a word that a shell replaces */
  urlOf(run: string): string {
    return `${this.url}/run/${run}`
  }

  /** The oldest first. */
  get ledger(): readonly Call[] {
    return this.#calls
  }

  /** Told to programs so far. */
  tokensOf(wire: Wire): number {
    return this.#calls
      .filter(({ asked }) => asked.wire === wire)
      .reduce((sum, { usage }) => sum + (usage ? usage.input + usage.output : 0), 0)
  }

  /** @param times how many requests of a task; all requests where not given */
  misbehave(what: Misbehaviour, times = Infinity): void {
    this.#misbehaviour = { what, left: times }
  }

  behave(): void {
    this.#misbehaviour = null
  }

  async close(): Promise<void> {
    this.#ending.abort()
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: whole } = new URL(request.url ?? '/', this.url)
    const [, run = null, pathname = whole] = RUN_PATH.exec(whole) ?? []
    const body = decoded(await buffer(request), request.headers['content-encoding'])
    const wire = wires.find(({ isAsked }) => isAsked(pathname))
    if (wire && request.method === 'POST')
      return this.#answerModel(wire, { run, path: pathname, body: JSON.parse(body) }, response)
    const other = wires.map(({ others }) => others(pathname)).find((found) => found !== undefined)
    response.writeHead(other ? 200 : 404, { 'content-type': 'application/json' })
    response.end(other ? JSON.stringify(other) : '')
  }

  async #answerModel(
    wire: WireFormat,
    { run, path, body }: { run: string | null; path: string; body: unknown },
    response: ServerResponse,
  ): Promise<void> {
    const { asked, isTask, streams } = wire.read(path, body)
    const note = (usage: Usage | null, toldBeforeCut: Usage | null = null): void => {
      const delivered = undefined as boolean | undefined
      const call = { asked, isTask, run, usage, toldBeforeCut, misbehaviour, delivered }
      this.#calls.push(call)
      response.once('close', () => (call.delivered = response.writableFinished))
    }
    const misbehaviour = this.#nextMisbehaviour(isTask)
    if (misbehaviour !== null && typeof misbehaviour !== 'string' && 'status' in misbehaviour) {
      note(null)
      refuse(response, wire.wire, misbehaviour)
      return
    }
    const reply = isTask ? this.#reply(asked) : { say: ASIDE }
    const usage = this.#usageOf()
    const answer = streams
      ? streamText(wire.events(reply, asked, usage))
      : JSON.stringify(wire.object(reply, asked, usage))
    const type = streams ? 'text/event-stream' : 'application/json'
    const isSpoilt = typeof misbehaviour === 'string'
    note(isSpoilt ? null : usage, misbehaviour === 'cut' && streams ? wire.toldFirst(usage) : null)
    if (isSpoilt) {
      spoil(response, misbehaviour, answer, type)
      return
    }
    if (misbehaviour !== null) await wait(misbehaviour.silence * 1000, undefined, { signal: this.#ending.signal })
    response.writeHead(200, { 'content-type': type })
    response.end(answer)
  }

  #reply(asked: Asked): Reply {
    const step = this.#script(asked)
    return 'say' in step ? step : toolCallOf(step, asked)
  }

  #nextMisbehaviour(isTask: boolean): Misbehaviour | null {
    const now = this.#misbehaviour
    if (now === null || now.left === 0 || (now.left !== Infinity && !isTask)) return null
    now.left--
    return now.what
  }
}

function decoded(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'gzip') return gunzipSync(body).toString()
  return (encoding === 'zstd' ? zstdDecompressSync(body) : body).toString()
}
