/** `npm run test:agents`: installs the real programs of agents in pinned versions, and runs the tests that drive them. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  agentProgramNames,
  agentPrograms,
  installAgentProgram,
  newestVersion,
  programCache,
  variableOf,
  versionUsed,
} from './lib/agentPrograms.mjs'
import { fail, say, SetupError } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'
import { runNode } from './lib/testRun.mjs'

const help = `npm run test:agents [-- FILE… --latest --install --table FILE]
npm run test:agents -- --night MINUTES [--seed N --result FILE]

Installs Claude Code, Gemini CLI and Codex CLI in pinned versions into a cache of yours (${programCache()}), and runs them as
agents of all loops against services of their models on this computer. No account is needed and nothing is sent elsewhere.

  FILE          Only the tests whose path has this in it, such as loops or machines.
  --latest      The newest versions instead, and which of them differ.
  --install     Install only.
  --table FILE  Also write the table of what each loop does when a service misbehaves, as Markdown.

  --night MINUTES  Instead: runs of all loops with all programs for so long, whose hosts, bridges and agents are killed at random while
                   their service misbehaves; then its ledger is compared with all records. Ctrl+C sums up early. Linux only.
  --seed N         The night's dice.
  --result FILE    Also write its figures, as JSON.
`

async function main() {
  const { files, latest, install, table, night, seed, result } = readArguments()
  await ensureSetup({ build: !install })
  if (latest) await chooseNewest()
  for (const name of agentProgramNames) {
    const refusal = await installAgentProgram(name)
    if (refusal !== undefined) throw new SetupError(`${agentPrograms[name].title} ${versionUsed(name)}: ${refusal}`)
  }
  if (install) return
  if (night !== undefined) {
    process.exitCode = await runNight(night, seed, result)
    return
  }
  const filters = files.length > 0 ? files.map((file) => file.replace(/^test\/agents\//, '')) : []
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'agents', ...filters]
  process.exitCode = await runNode(args, (chunk) => process.stdout.write(chunk), {
    ...(table === undefined ? {} : { BRIDGEDECK_MISBEHAVIOUR_TABLE: table }),
  })
}

/** Ctrl+C reaches the night as well, which sums up then. */
async function runNight(minutes, seed, result) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal).on(signal, () => undefined)
  const options = Object.entries({ minutes, seed, result }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
  const args = ['--import', './test/support/typescript.mjs', 'test/support/realNightMain.ts', ...options]
  return runNode(args, (chunk) => process.stdout.write(chunk))
}

/** Says which versions differ from the pinned ones. */
async function chooseNewest() {
  for (const name of agentProgramNames) {
    const { title, version } = agentPrograms[name]
    const newest = await newestVersion(name)
    if (newest === undefined)
      throw new SetupError(
        `The newest version of ${title} is not known. Check the network and \`npm config get registry\`.`,
      )
    say(
      newest === version
        ? `${title} ${version} is the newest.`
        : `${title} ${newest} is newer than ${version}, which is pinned.`,
    )
    process.env[variableOf(name)] = newest
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        latest: { type: 'boolean', default: false },
        install: { type: 'boolean', default: false },
        table: { type: 'string' },
        night: { type: 'string' },
        seed: { type: 'string' },
        result: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const inCaller = (file) => (file === undefined ? undefined : resolve(process.env.INIT_CWD ?? '.', file))
    if (values.night !== undefined && !(Number(values.night) > 0)) throw new Error('--night is a number of minutes.')
    return { ...values, table: inCaller(values.table), result: inCaller(values.result), files: positionals }
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))
await main().catch(fail)
