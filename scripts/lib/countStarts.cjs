/**
 * Loaded by `--require` into every Node process of a measured test run: appends a line to the file BRIDGEDECK_STARTS for each
 * program that the process starts. A program whose environment is an allow-list does not load it.
 */
const { appendFileSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const { basename } = require('node:path')
const { tracingChannel } = require('node:diagnostics_channel')
const childProcess = require('node:child_process')

const kinds = { electron: 'Electron', x64sc: 'VICE', git: 'git', Xvfb: 'Xvfb', socat: 'socat' }
const scripts = { 'bridge.cjs': 'bridge', 'cli.cjs': 'command line', 'cli.mjs': 'command line' }

/** What a program is counted as. @param {readonly string[]} args its name first */
function kindOf([command = '', ...args]) {
  const program = basename(command)
  if (program in kinds) return kinds[program]
  if (args.some((arg) => arg.includes('/peers/agents/'))) return 'agent'
  const script = args.find((arg) => /\.[cm]?[jt]s$/.test(arg) && !arg.startsWith('-'))
  return program !== 'node' || script === undefined ? 'other' : (scripts[basename(script)] ?? 'other Node')
}

function note(args) {
  const file = process.env.BRIDGEDECK_STARTS
  if (file) appendFileSync(file, `${kindOf(args)}\n`)
}

tracingChannel('child_process.spawn').subscribe({ start: ({ options }) => note(options.args) })
for (const name of ['spawnSync', 'execFileSync']) {
  const original = childProcess[name]
  childProcess[name] = (command, ...rest) => {
    note([command, ...(Array.isArray(rest[0]) ? rest[0] : [])])
    return original(command, ...rest)
  }
}
syncBuiltinESMExports()
