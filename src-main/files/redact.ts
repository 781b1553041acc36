import { homedir } from 'node:os'

const HIDDEN = '[hidden]'

/** `password: "…"`, `X-Password: …`, `C64U_PASSWORD=…`, also as JSON inside a line. */
const assignments =
  /((?:[\w-]*(?:password|passwd|secret|token|api[-_]?key))["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;}&]+)/gi
const authorization = /((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:basic|bearer)\s+)[^\s"',;}]+/gi
const userInfo = /(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi

/** The home folder, which names the person, becomes `~`. */
export function redact(text: string, home: string = homedir()): string {
  const hidden = text
    .replace(authorization, `$1${HIDDEN}`)
    .replace(
      assignments,
      (_match, name: string, value: string) =>
        `${name}${/^["']/.test(value) ? `${value[0] ?? ''}${HIDDEN}${value[0] ?? ''}` : HIDDEN}`,
    )
    .replace(userInfo, `$1${HIDDEN}@`)
  return home.length > 1 ? hidden.replaceAll(home, '~') : hidden
}
