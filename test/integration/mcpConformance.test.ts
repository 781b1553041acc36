/** The protocol's own conformance tests. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { CommandLine } from '../support/commandLine'
import { startServer, stopServers } from '../support/httpServer'

/** By the names that only that server has, such as `test_image_content`. The program refuses one that passes. */
const needTestServer = [
  ...[
    'image',
    'audio',
    'embedded-resource',
    'mixed-content',
    'with-logging',
    'with-progress',
    'sampling',
    'elicitation',
  ].map((name) => `tools-call-${name}`),
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  ...['read-text', 'read-binary', 'templates-read', 'subscribe', 'unsubscribe'].map((name) => `resources-${name}`),
  ...['simple', 'with-args', 'embedded-resource', 'with-image'].map((name) => `prompts-get-${name}`),
]
const program = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js')

let calls: CommandLine
let front: Server
let url: string

/** Adds the token, as the tests give none; what names the front's own address names the server's. */
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
  const server = await startServer(calls)
  const { host } = new URL(server.url)
  front = createServer((asked, answer) => {
    const own = `:${(front.address() as AddressInfo).port}`
    const toServer = (name: string | undefined) => name?.replace(own, `:${host.split(':')[1] ?? ''}`)
    const { origin } = asked.headers
    const headers = {
      ...asked.headers,
      host: toServer(asked.headers.host)?.replace('localhost', '127.0.0.1'),
      authorization: `Bearer ${server.token}`,
      ...(origin === undefined ? {} : { origin: toServer(origin) }),
    }
    const { hostname, port } = new URL(server.url)
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`
})
afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await stopServers()
  await calls.remove()
})

it('All pass but those that call tools, prompts and resources of a server for tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-conformance-'))
  const known = join(folder, 'known.yml')
  await writeFile(known, stringify({ server: needTestServer }))
  const words = ['server', '--url', url, '--expected-failures', known]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { cwd: folder })
    expect(stdout).toContain('✓ completion-complete')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
