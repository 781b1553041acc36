import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

const MAX_MESSAGES = 500
/** Characters of JSON: two of the longest answers. */
const MAX_CHARACTERS = 12 * 1024 * 1024

interface Kept {
  readonly id: string
  readonly stream: string
  readonly message: JSONRPCMessage
  readonly length: number
}

export class StreamStore implements EventStore {
  readonly #kept: Kept[] = []
  #length = 0
  #count = 0

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const { length } = JSON.stringify(message)
    const id = `${stream}_${++this.#count}`
    this.#kept.push({ id, stream, message, length })
    this.#length += length
    while (this.#kept.length > MAX_MESSAGES || (this.#length > MAX_CHARACTERS && this.#kept.length > 1))
      this.#length -= this.#kept.shift()?.length ?? 0
    return Promise.resolve(id)
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#kept.find((kept) => kept.id === id)?.stream)
  }

  /** @throws where the message is forgotten: the client then begins again */
  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = this.#kept.findIndex(({ id }) => id === last)
    const stream = this.#kept[from]?.stream
    if (stream === undefined) throw new Error('What came after this message is not kept any more.')
    // The first message of a stream is empty: it only gives the client an id to come back with.
    for (const { id, stream: other, message } of this.#kept.slice(from + 1))
      if (other === stream && Object.keys(message).length > 0) await send(id, message)
    return stream
  }
}
