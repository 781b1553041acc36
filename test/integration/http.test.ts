/** Scripts over HTTP: the built server as a person starts it, called by curl's like, Python, the typed client and the command line. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BridgedeckError, connect } from '../../src-client/index'
import { allOperations, openApi } from '../../src-main/cli/http/openApi'
import { CommandLine } from '../support/commandLine'
import { bearer, startServer, startServerProcess, type ServerProcess } from '../support/httpServer'

let calls: CommandLine
let server: ServerProcess
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
  server = await startServerProcess(calls, '--allow', 'change')
})
afterAll(async () => {
  await server.stop()
  await calls.remove()
})

const answerSchema = z.record(z.string(), z.unknown())

async function post(path: string, given: unknown, headers: Record<string, string> = {}) {
  const body = typeof given === 'string' ? given : JSON.stringify(given)
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: { ...bearer(server), ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, body: answerSchema.parse(await response.json()) }
}

describe('a script', () => {
  it('gets text and data of each operation', async () => {
    expect(await post('/api/memory/write', { address: '$0400', bytes: '01 02' })).toMatchObject({ status: 200 })
    const { status, body } = await post('/api/memory/read', { address: 1024, length: 2 })
    expect([status, body['text']]).toEqual([200, expect.stringMatching(/^0400 {2}01 02 /)])
    expect(body['data']).toMatchObject({ address: '$0400', bytes: '0102' })
    expect(await post('/api/machine/list', '')).toMatchObject({ status: 200 })
  })

  it('gets a picture as a PNG file, or within the answer', async () => {
    const { body } = await post('/api/see/picture', {})
    const response = await fetch(new URL('/api/see/picture', server.url), {
      method: 'POST',
      headers: { ...bearer(server), Accept: 'image/png' },
    })
    const png = Buffer.from(await response.arrayBuffer())
    expect([response.headers.get('content-type'), png.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG'])
    expect(Buffer.from(z.string().parse(body['picture']), 'base64').subarray(1, 4).toString()).toBe('PNG')
    expect(JSON.stringify([body['text'], body['data']])).not.toContain('tmp')
  })

  it('reads a long text in parts, and data whole', async () => {
    const { body } = await post('/api/memory/read', { address: 0, length: 8192 })
    expect(z.object({ bytes: z.string() }).parse(body['data']).bytes).toHaveLength(16_384)
    const next = await post('/api/memory/read', { more: body['more'] })
    expect([next.status, next.body['text']]).toEqual([200, expect.stringMatching(/^[0-9A-F]{4} {2}/)])
  })

  it.each([
    ['/api/memory/read', {}, 400, 'INVALID', 'address is missing.', 'read(address, length?'],
    [
      '/api/memory/read',
      { adress: 1 },
      400,
      'INVALID',
      'There is no argument “adress”. Did you mean address?',
      'read(',
    ],
    ['/api/memory/read', '{"address":', 400, 'INVALID', 'The body of the request is no JSON.', undefined],
    ['/api/memory/read', '[1]', 400, 'INVALID', 'The body of a call is a JSON object.', undefined],
    ['/api/memory/read', 'null', 400, 'INVALID', 'The body of a call is a JSON object.', undefined],
    ['/api/memory/reed', {}, 404, 'NOT_FOUND', 'memory has no op “reed”. Did you mean read?', undefined],
    ['/api/memry/read', {}, 404, 'NOT_FOUND', 'There is no tool “memry”. Did you mean memory?', undefined],
    ['/api/memory', {}, 404, 'NOT_FOUND', 'Nothing is at this address.', undefined],
    ['/api/drives/set', { drive: 'a', power: 'off' }, 403, 'FORBIDDEN', 'You may not switch', '--allow power'],
    ['/api/graphics/save', { file: 'a.png' }, 403, 'FORBIDDEN', 'You may not use files', '--allow files'],
    ['/api/see/screen', { wait_for: 'never', timeout: 1 }, 504, 'TIMEOUT', 'did not show “never”', 'It shows'],
    ['/api/snapshot/delete', { name: 'nothing' }, 404, 'NOT_FOUND', 'nothing', undefined],
    ['/api/drives/list', { machine: 'builtin' }, 422, 'UNSUPPORTED', '', undefined],
    ['/api/memory/read', { address: 1, machine: 'vice:1' }, 403, 'FORBIDDEN', 'neither connected', '--allow connect'],
  ])('is told what is wrong with %s %o: %i %s', async (path, given, status, code, message, hint) => {
    const { body, ...answer } = await post(path, given)
    expect([answer.status, body]).toEqual([status, expect.objectContaining({ code })])
    expect(body['message']).toContain(message)
    if (hint !== undefined) expect(body['hint']).toContain(hint)
    expect(Object.keys(body).filter((key) => !['code', 'message', 'hint'].includes(key))).toEqual([])
  })

  it('waits for its turn where another one changes the machine', async () => {
    const write = (name: string) =>
      post('/api/memory/write', { address: '$0400', bytes: '01' }, { 'Bridgedeck-Name': name })
    await expect.poll(async () => (await write('first')).status).toBe(200)
    let hasWritten = false
    const second = write('second').then(({ status }) => {
      hasWritten = true
      return status
    })
    expect(await post('/api/memory/read', { address: '$0400' }, { 'Bridgedeck-Name': 'third' })).toMatchObject({
      status: 200,
    })
    expect(hasWritten).toBe(false)
    expect(await second).toBe(200)
  })

  it.runIf(process.platform === 'linux')('with far too much to say costs the server no memory', async () => {
    const megabytesUsed = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
    const before = megabytesUsed()
    for (let round = 0; round < 6; round++)
      expect(await post('/api/memory/read', ' '.repeat(50_000_000))).toMatchObject({ status: 413 })
    expect(megabytesUsed() - before).toBeLessThan(150)
  })

  it('calls with POST only', async () => {
    const response = await fetch(new URL('/api/memory/read', server.url), { headers: bearer(server) })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('in Python makes the border red and reads it back, as the documentation shows', () => {
    const script = resolve('docs/examples/border.py')
    const { status, stdout, stderr } = spawnSync('python3', [script], {
      env: { ...process.env, BRIDGEDECK_URL: server.url, BRIDGEDECK_TOKEN: server.token },
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([0, 'The border is red.\n', ''])
    expect(
      readFileSync(script, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(20)
    expect(readFileSync('docs/api.md', 'utf8')).toContain('examples/border.py')
  })

  it('in TypeScript calls each operation by its name', async () => {
    const bridgedeck = connect({ ...server, name: 'a test' })
    // The script before may still hold the machine.
    await expect
      .poll(() => bridgedeck.memory.write({ address: '$c000', bytes: 'a9 02' }).catch(String))
      .toMatchObject({ failed: false })
    const { data, text, wholeText, failed } = await bridgedeck.memory.read({ address: '$c000', length: 2 })
    expect([data.bytes, text, await wholeText(), failed]).toEqual(['a902', text, text, false])
    expect((await bridgedeck.see.picture()).picture?.subarray(1, 4)).toEqual(new Uint8Array(Buffer.from('PNG')))
    const long = await bridgedeck.memory.read({ address: '0', length: 65_536 })
    expect((await long.wholeText()).split('\n')).toHaveLength(4096)
    const refused = bridgedeck.memory.read({ address: 'nowhere' })
    await expect(refused).rejects.toBeInstanceOf(BridgedeckError)
    await expect(refused).rejects.toMatchObject({ code: 'INVALID', status: 400 })
    await expect(connect({ ...server, token: 'wrong' }).machine.list()).rejects.toMatchObject({ status: 401 })
    const away = connect({ url: 'http://127.0.0.1:1', token: 'any' })
    await expect(away.machine.list()).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await expect(away.events()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })
})

describe('the command line', () => {
  it('calls what runs, whose token it finds by itself', async () => {
    const { code, stdout } = await calls.run('call', 'memory', 'read', '{"address":"$e000","length":2,"bank":"rom"}')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^E000 {2}/)])
    const long = await calls.run('call', 'memory', 'read', '{"address":"0","length":65536}')
    expect(long.stdout.trim().split('\n')).toHaveLength(4096)
    expect(await calls.data('call', 'see', 'picture', '--png', 'seen.png')).toMatchObject({
      png: join(calls.folder, 'seen.png'),
    })
    expect(readFileSync(join(calls.folder, 'seen.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  it.each([
    [['memory', 'reed'], 7, 'Did you mean read?'],
    [['memory', 'read', '{'], 1, 'JSON:1:2'],
    [['memory', 'read', '[]'], 2, 'JSON is an object'],
    [['drives', 'set', '{"drive":"a","power":"off"}'], 8, '--allow power'],
    [['machine', 'list', '--png', 'a.png'], 2, 'makes no picture'],
    [['machine', 'list', '--url', 'nowhere'], 2, '--url is such as'],
    // The token is for the server that it is of.
    [['machine', 'list', '--url', 'http://127.0.0.1:1'], 8, 'BRIDGEDECK_TOKEN'],
  ])('says what is wrong with call %j', async (words, code, message) => {
    const ended = await calls.run('call', ...words)
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)])
  })

  it('keeps the token between starts, for this user alone, until another is asked for', async () => {
    const file = join(calls.folder, 'data', 'serve.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await startServer(calls)
    const renewed = await startServer(calls, '--new-token')
    await Promise.all([again.stop(), renewed.stop()])
    expect([again.token === server.token, renewed.token === server.token, renewed.token.length]).toEqual([
      true,
      false,
      43,
    ])
    expect(readFileSync(file, 'utf8')).toContain(renewed.token)
    expect((await calls.run('call', 'machine', 'list')).code).toBe(3)
  })

  it('says that a port is taken', async () => {
    const { code, stderr } = await calls.run('serve', '--port', new URL(server.url).port)
    expect([code, stderr]).toEqual([6, expect.stringContaining('--port 0')])
  })
})

describe('the description of the API', () => {
  const read = (path: string) => fetch(new URL(path, server.url), { headers: bearer(server) })

  it('is valid OpenAPI 3.1, with every operation', async () => {
    const document = answerSchema.parse(await (await read('/api/openapi.json')).json())
    expect(await new Validator().validate(document)).toMatchObject({ valid: true })
    expect(document).toEqual(
      JSON.parse(
        JSON.stringify(openApi(z.object({ version: z.string() }).parse(document['info']).version, server.url)),
      ),
    )
    expect(Object.keys(answerSchema.parse(document['paths']))).toHaveLength(allOperations().length)
  })

  it('has schemas that answers and errors keep to', async () => {
    const Ajv = ajv2020()
    const validate = new Ajv({ strict: false })
    const document = answerSchema.parse(await (await read('/api/openapi.json')).json())
    validate.addSchema(document, 'api')
    for (const [path, given] of [
      ['/api/memory/read', { address: '$d020' }],
      ['/api/machine/list', {}],
      ['/api/see/picture', {}],
    ] as const) {
      const { body } = await post(path, given)
      const at = `api#/paths/${path.replaceAll('/', '~1')}/post`
      expect([path, validate.validate(`${at}/requestBody/content/application~1json/schema`, given)]).toEqual([
        path,
        true,
      ])
      expect([path, validate.validate(`${at}/responses/200/content/application~1json/schema`, body)]).toEqual([
        path,
        true,
      ])
    }
    const { body } = await post('/api/memory/read', {})
    expect(validate.validate('api#/components/schemas/Error', body)).toBe(true)
  })

  it('is a page that asks for the token as a password, and may load and run nothing', async () => {
    const asked = await fetch(new URL('/api', server.url))
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)])
    const password = Buffer.from(`:${server.token}`).toString('base64')
    const page = await fetch(new URL('/api', server.url), { headers: { Authorization: `Basic ${password}` } })
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(html).not.toMatch(/<script|<link|<img|src=|@import/)
    expect(html).toContain('POST /api/memory/read')
    // The password of the page is none for calls: a browser would send it by itself.
    const call = await fetch(new URL('/api/machine/list', server.url), {
      method: 'POST',
      headers: { Authorization: `Basic ${password}` },
    })
    expect(call.status).toBe(401)
  })
})

interface SchemaValidator {
  addSchema(schema: object, name: string): unknown
  validate(name: string, value: unknown): unknown
}

/** The one that the SDK brings. */
function ajv2020(): new (options: object) => SchemaValidator {
  const ofSdk = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/server/mcp.js'))
  const { default: Ajv } = ofSdk('ajv/dist/2020') as { default: new (options: object) => SchemaValidator }
  return Ajv
}
