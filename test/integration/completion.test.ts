/** The completion of the shells that are installed, each with the script that is printed for it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  calls = new CommandLine()
  const programs = join(calls.folder, 'programs')
  mkdirSync(programs)
  const call = `#!/bin/sh\nexec '${process.execPath}' '${resolve('out/main/cli.cjs')}' "$@"\n`
  writeFileSync(join(programs, 'bridgedeck'), call, { mode: 0o755 })
  environment = { ...calls.environment, PATH: [programs, calls.environment.PATH].join(delimiter) }
  mkdirSync(join(calls.folder, 'games'))
  writeFileSync(join(calls.folder, 'galaga one.prg'), '')
  await calls.run('connection', 'save', 'ultimate:192.0.2.1', '--title', 'Desk')
})
afterAll(() => calls.remove())

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** The lines that a shell prints for a script. */
const run = (program: string, args: readonly string[]): string[] =>
  execFileSync(program, args, { env: environment, cwd: calls.folder, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

/** What each shell offers where the line ends; only the words. */
const shells: Readonly<Record<string, (line: string) => string[]>> = {
  bash: (line) =>
    run('bash', [
      '--norc',
      '-c',
      'eval "$(bridgedeck completion bash)"; COMP_LINE="$1" COMP_POINT=${#1}; _bridgedeck; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      line,
    ]),
  // Without a terminal the functions of zsh's own completion are stand-ins that print what they get.
  zsh: (line) =>
    run('zsh', [
      '-f',
      '-c',
      `compdef() { : }; compadd() { shift 3; print -l -- "$@" }; _describe() { print -l -- "\${(@)\${(P@)2}%%:[A-Z]*}" }
       _files() { [[ $1 == -/ ]] && print -l -- $PREFIX*(/N) || print -l -- $PREFIX*(N) }
       eval "$(bridgedeck completion zsh)"; words=(\${=1}); [[ $1 == *' ' ]] && words+=('')
       CURRENT=$#words PREFIX="\${words[-1]}"; _bridgedeck | sed 's/\\\\:/:/g; s/:$//'`,
      'zsh',
      line,
    ]),
  fish: (line) =>
    run('fish', ['--no-config', '-c', `bridgedeck completion fish | source; complete -C '${line}'`]).map(
      (offered) => offered.split('\t')[0] ?? '',
    ),
}

describe.each(Object.keys(shells).filter(isInstalled))('the completion of %s', (shell) => {
  const offered = (line: string) => shells[shell]?.(line)

  it('has commands and options', () => {
    expect(offered('bridgedeck recording ')).toEqual(expect.arrayContaining(['list', 'show', 'query', 'export']))
    expect(offered('bridgedeck read --bank ram --addr')).toEqual(['--address'])
  })

  it('has machines that are saved', () => {
    const [machine, ...others] = offered('bridgedeck read --machine ultimate:1') ?? []
    expect(others).toEqual([])
    // Bash replaces only what stands behind the colon.
    expect(['192.0.2.1', 'ultimate:192.0.2.1']).toContain(machine)
  })

  it('has files and folders where a command takes one', () => {
    expect(offered('bridgedeck run g')).toEqual(expect.arrayContaining([expect.stringMatching(/galaga.* one\.prg/)]))
    const folders = offered('bridgedeck project inspect g') ?? []
    expect(folders.map((name) => name.replace(/\/$/, ''))).toEqual(['games'])
  })
})

it('The script of PowerShell registers a completer that asks for the words', async () => {
  const { stdout } = await calls.run('completion', 'powershell')
  expect(stdout).toContain('Register-ArgumentCompleter -Native -CommandName bridgedeck')
  expect(stdout).toContain('bridgedeck completion words "--current=$wordToComplete"')
})
