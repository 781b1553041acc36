import { randomBytes } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'
import { APP_HOST, APP_SCHEME, parseUrl } from './trust'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.bin': 'application/octet-stream',
}
const MAX_ADDRESS_CHARACTERS = 1024

function contentSecurityPolicy(styleNonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

function headers(styleNonce: string, mimeType: string): Record<string, string> {
  return {
    'Content-Type': mimeType,
    'Content-Security-Policy': contentSecurityPolicy(styleNonce),
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

export function resolveAppUrl(root: string, address: string): { path: string; mimeType: string } | undefined {
  const url = address.length > MAX_ADDRESS_CHARACTERS ? undefined : parseUrl(address)
  if (url?.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST || url.username !== '' || url.password !== '')
    return undefined
  const decoded = decode(url.pathname)
  if (decoded === undefined || /[\0\\]/.test(decoded) || decoded.startsWith('//')) return undefined
  const path = resolve(root, `.${decoded}`)
  const mimeType = mimeTypes[extname(path)]
  return mimeType !== undefined && path.startsWith(root + sep) ? { path, mimeType } : undefined
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

export async function serveApp(root: string, { method, url }: { method: string; url: string }): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const refuse = (status: number) => new Response(null, { status, headers: headers(nonce, 'text/plain') })
  if (method !== 'GET') return refuse(405)
  const file = resolveAppUrl(root, url)
  if (!file) return refuse(403)
  try {
    if (!(await realpath(file.path)).startsWith((await realpath(root)) + sep)) return refuse(403)
    const body = await readFile(file.path)
    const isPage = extname(file.path) === '.html'
    return new Response(isPage ? body.toString().replaceAll(NONCE_PLACEHOLDER, nonce) : body, {
      headers: headers(nonce, file.mimeType),
    })
  } catch {
    return refuse(404)
  }
}
