import { openTcp } from '../bytestream/tcp'
import { requireLink, type Driver } from '../driver'
import { StubClient } from './client'
import { createStubMachine } from './driver'

export const stubDriver: Driver = {
  create: (name, link, { settings }) =>
    createStubMachine({ name, link: requireLink(link), allowed: () => settings.current.hardwareSampling }),
  async probe(address, signal) {
    const stream = await openTcp(address, signal)
    const { client } = await StubClient.connect(stream, `${address.host}:${address.port}`, null, signal)
    await client.close()
    return { title: null, about: 'C64 with Bridgedeck’s serial stub' }
  },
}
