import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveAppUrl, serveApp } from './appProtocol'

let folder: string
let root: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-app-'))
  root = join(folder, 'renderer')
  await mkdir(join(root, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.js'), 'outside')
  await writeFile(join(root, 'index.html'), '<style nonce="__CSP_NONCE__"></style><meta content="__CSP_NONCE__">')
  await writeFile(join(root, 'assets', 'a b.js'), 'inside')
  await writeFile(join(root, 'notes.txt'), 'no such type is served')
  await symlink(join(folder, 'secret.js'), join(root, 'link.js'))
})
afterAll(() => rm(folder, { recursive: true }))

const get = (url: string, method = 'GET') => serveApp(root, { method, url })

describe('an address of app://', () => {
  it.each([
    ['app://bridgedeck/index.html', 'index.html'],
    ['app://bridgedeck/index.html?view=memory&machine=vice:6502#x', 'index.html'],
    ['app://bridgedeck/assets/a%20b.js', 'assets/a b.js'],
    ['app://bridgedeck/assets/../index.html', 'index.html'],
  ])('%s is %s', (address, file) => {
    expect(resolveAppUrl('/app', address)?.path).toBe(`/app/${file}`)
  })

  it.each([
    'app://bridgedeck/',
    'app://bridgedeck/../secret.js/..',
    'app://bridgedeck/..%2fsecret.js',
    'app://bridgedeck/%2e%2e/%2e%2e/secret',
    'app://bridgedeck/..%5csecret.js',
    'app://bridgedeck/a\\b.js',
    'app://bridgedeck/%00.js',
    'app://bridgedeck/a%00.js',
    'app://bridgedeck//etc/x.js',
    'app://bridgedeck/%2f%2fetc/x.js',
    'app://bridgedeck/%zz.js',
    'app://bridgedeck/notes.txt',
    'app://bridgedeck/.env',
    'app://bridgedeck/main.cjs',
    'app://other/index.html',
    'app://bridgedeck:80/index.html',
    'app://user@bridgedeck/index.html',
    'file:///etc/x.js',
    'https://bridgedeck/index.html',
    'not an address',
    `app://bridgedeck/${'a'.repeat(2000)}.js`,
  ])('%s is refused', (address) => {
    expect(resolveAppUrl('/app', address)).toBeUndefined()
  })

  it('cannot leave the folder however its dots are written', () => {
    for (const dots of ['..', '%2e%2e', '.%2e', '%2E.', '..%2f..', '%252e%252e']) {
      const path = resolveAppUrl('/app/renderer', `app://bridgedeck/${dots}/${dots}/secret.js`)?.path
      expect(path === undefined || path.startsWith('/app/renderer/')).toBe(true)
    }
  })
})

describe('the app’s files', () => {
  it('come with their type and every protective header', async () => {
    const response = await get('app://bridgedeck/assets/a%20b.js')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('inside')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('have a new style nonce in the policy and the page at each load', async () => {
    const nonces = new Set<string>()
    for (let load = 0; load < 2; load++) {
      const response = await get('app://bridgedeck/index.html')
      const policy = response.headers.get('content-security-policy') ?? ''
      const nonce = /style-src 'self' 'nonce-([^']{20,})'/.exec(policy)?.[1] ?? ''
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; ` +
          "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
      )
      expect(await response.text()).toBe(`<style nonce="${nonce}"></style><meta content="${nonce}">`)
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(2)
  })

  it.each([
    ['POST', 'app://bridgedeck/index.html', 405],
    ['HEAD', 'app://bridgedeck/index.html', 405],
    ['GET', 'app://bridgedeck/missing.js', 404],
    ['GET', 'app://bridgedeck/link.js', 403],
    ['GET', 'app://bridgedeck/notes.txt', 403],
    ['GET', 'app://other/index.html', 403],
  ])('answer %s %s with %i, nothing inside, and the same policy', async (method, url, status) => {
    const response = await get(url, method)
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})
