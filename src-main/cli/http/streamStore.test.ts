import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, it } from 'vitest'
import { StreamStore } from './streamStore'

const message = (id: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { text } })

async function replayed(store: StreamStore, last: string): Promise<unknown[]> {
  const sent: unknown[] = []
  await store.replayEventsAfter(last, {
    send: (_, { ...each }) => {
      sent.push('id' in each ? each.id : each)
      return Promise.resolve()
    },
  })
  return sent
}

it('A stream goes on behind the message that arrived last, without those of other streams', async () => {
  const store = new StreamStore()
  const first = await store.storeEvent('one', message(1))
  await store.storeEvent('other', message(2))
  await store.storeEvent('one', message(3))
  expect(await replayed(store, first)).toEqual([3])
  expect(await store.getStreamIdForEventId(first)).toBe('one')
})

it('The oldest messages are forgotten, by number and by length', async () => {
  const store = new StreamStore()
  const first = await store.storeEvent('one', message(1))
  for (let id = 2; id <= 501; id++) await store.storeEvent('one', message(id))
  await expect(replayed(store, first)).rejects.toThrow('not kept any more')
  const long = await store.storeEvent('one', message(600, 'x'.repeat(7_000_000)))
  await store.storeEvent('one', message(601, 'x'.repeat(7_000_000)))
  expect(await store.getStreamIdForEventId(long)).toBeUndefined()
})
