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
  /** Null where it did not answer. */
  readonly usage: Usage | null
  readonly misbehaviour: Misbehaviour | null
}

const wires = [anthropic, openai, gemini]

const usageOfCall: Usage = { input: 1_000, cached: 200, output: 50 }

/** What programs ask beside their task: a title, which model is to do it. */
const ASIDE = JSON.stringify({ title: 'A task', complexity_reasoning: 'One step.', complexity_score: 1 })

export class ModelApi {
  readonly #server: Server
  readonly #script: Script
  readonly #calls: Call[] = []
  readonly #ending = new AbortController()
  #misbehaviour: { readonly what: Misbehaviour; left: number } | null = null
  /** What the script or a request was not up to. */
  readonly errors: unknown[] = []

  private constructor(script: Script) {
    this.#script = script
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (this.#ending.signal.aborted) return
        this.errors.push(error)
        if (response.headersSent) response.destroy()
        else response.writeHead(400).end()
      })
    })
  }

  static async start(script: Script): Promise<ModelApi> {
    const api = new ModelApi(script)
    api.#server.listen(0, '127.0.0.1')
    await once(api.#server, 'listening')
    return api
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
    return `http://127.0.0.1:${address.port}`
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
    const { pathname } = new URL(request.url ?? '/', this.url)
    const body = decoded(await buffer(request), request.headers['content-encoding'])
    const wire = wires.find(({ isAsked }) => isAsked(pathname))
    if (wire && request.method === 'POST') return this.#answerModel(wire, pathname, JSON.parse(body), response)
    const other = wires.map(({ others }) => others(pathname)).find((found) => found !== undefined)
    response.writeHead(other ? 200 : 404, { 'content-type': 'application/json' })
    response.end(other ? JSON.stringify(other) : '')
  }

  async #answerModel(wire: WireFormat, path: string, body: unknown, response: ServerResponse): Promise<void> {
    const { asked, isTask, streams } = wire.read(path, body)
    const misbehaviour = this.#nextMisbehaviour(isTask)
    if (misbehaviour !== null && typeof misbehaviour !== 'string' && 'status' in misbehaviour) {
      this.#calls.push({ asked, isTask, usage: null, misbehaviour })
      refuse(response, wire.wire, misbehaviour)
      return
    }
    const reply = isTask ? this.#reply(asked) : { say: ASIDE }
    const usage = usageOfCall
    const answer = streams
      ? streamText(wire.events(reply, asked, usage))
      : JSON.stringify(wire.object(reply, asked, usage))
    const type = streams ? 'text/event-stream' : 'application/json'
    const isSpoilt = typeof misbehaviour === 'string'
    this.#calls.push({ asked, isTask, usage: isSpoilt ? null : usage, misbehaviour })
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
