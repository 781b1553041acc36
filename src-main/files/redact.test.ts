import { describe, expect, it } from 'vitest'
import { redact } from './redact'

const home = '/home/somebody'

describe('a log line', () => {
  it.each([
    ['X-Password: hunter2', 'X-Password: [hidden]'],
    ['x-password=hunter2 next', 'x-password=[hidden] next'],
    ['{"password":"hunter2","host":"c64"}', '{"password":"[hidden]","host":"c64"}'],
    ["{ password: 'hunter2', host: 'c64' }", "{ password: '[hidden]', host: 'c64' }"],
    ['{"password":"a \\"quoted\\" hunter2"}', '{"password":"[hidden]"}'],
    ['C64U_PASSWORD=hunter2', 'C64U_PASSWORD=[hidden]'],
    ['networkPassword: hunter2', 'networkPassword: [hidden]'],
    ['api_key=hunter2&x=1', 'api_key=[hidden]&x=1'],
    ['Authorization: Bearer hunter2', 'Authorization: Bearer [hidden]'],
    ['http://user:hunter2@c64/v1', 'http://[hidden]@c64/v1'],
  ])('%s loses its secret', (line, expected) => {
    expect(redact(line, home)).toBe(expected)
  })

  it('has the home folder, which names the person, as ~', () => {
    expect(redact('read /home/somebody/c64/demo.prg and /home/somebody', home)).toBe('read ~/c64/demo.prg and ~')
  })

  it('stays as it is otherwise', () => {
    const line = 'the bridge process is ready; machine vice:127.0.0.1:6502 at $0400'
    expect(redact(line, home)).toBe(line)
  })
})
