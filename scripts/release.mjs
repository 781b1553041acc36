/** `npm run release`: checks, builds and packs a release into out/release/VERSION. Nothing is published. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, npm, root, run, say, SetupError, tail } from './lib/process.mjs'
import { makeArtifacts } from './lib/release/artifacts.mjs'
import { checksumLines, sha256 } from './lib/release/checksums.mjs'
import { placeOf, provenance } from './lib/release/provenance.mjs'
import { refusals } from './lib/release/refusals.mjs'
import { sbom } from './lib/release/sbom.mjs'
import { section } from './lib/release/sections.mjs'
import { ensureBuilt, ensureSetup, node24 } from './lib/setup.mjs'

const help = `npm run release [-- --no-tests]

Checks, builds and packs the version in package.json into out/release/VERSION: the artefacts, a software bill of
materials, provenance and SHA256SUMS. Publishes nothing; at its end stands what to do by hand.

  --no-tests  Leave out npm test. The summary and the provenance say so.
`

async function main() {
  const isTested = readArguments()
  await ensureSetup({ build: false })
  const { version } = readJson('package.json')
  await refuseUnready(version)
  const commit = await git('rev-parse', 'HEAD')
  // Programs that put times into files take this one, in seconds: https://reproducible-builds.org/specs/source-date-epoch
  process.env.SOURCE_DATE_EPOCH ??= await git('show', '--no-patch', '--format=%ct', 'HEAD')

  emptyOut()
  await ensureBuilt()
  if (isTested) await runTests()
  await refuseUnready(version)
  const folder = join(root, 'out', 'release', version)
  const { files, without } = await writeRelease({ folder, version, commit, isTested })
  process.stdout.write(summary({ version, commit, files, without, isTested }))
}

/** @returns {boolean} whether tests are wanted */
function readArguments() {
  try {
    const options = { 'no-tests': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
    const { values } = parseArgs({ options })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    return values['no-tests'] !== true
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

const read = (file) => readFileSync(join(root, file), 'utf8')
const readJson = (file) => JSON.parse(read(file))

async function git(...args) {
  const { code, output } = await run('git', args)
  if (code !== 0) throw new SetupError(`git ${args[0]} failed: ${tail(output)}`)
  return output.trimEnd()
}

async function refuseUnready(version) {
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env
  const lock = readJson('package-lock.json')
  const why = refusals({
    version,
    changed: (await git('status', '--porcelain')).split('\n').filter((line) => line !== ''),
    changelog: read('CHANGELOG.md'),
    versions: { 'package-lock.json': lock.version, 'server.json': readJson('server.json').version },
    tag: GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined,
  })
  if (why.length > 0) throw new SetupError(`no release was made.\n${why.join('\n')}`)
}

/** What earlier builds left would be in no other clone. Earlier releases stay. */
function emptyOut() {
  const out = join(root, 'out')
  mkdirSync(out, { recursive: true })
  for (const name of readdirSync(out)) if (name !== 'release') rmSync(join(out, name), { recursive: true, force: true })
}

async function runTests() {
  say('testing…')
  const { code } = await run(node24, [join(root, 'scripts', 'test.mjs')], { show: true })
  if (code !== 0) throw new SetupError('no release was made: tests failed. Repair them, commit, and run this again.')
}

/** @returns {Promise<{ files: { name: string, digest: string }[], without: string | undefined }>} */
async function writeRelease({ folder, version, commit, isTested }) {
  say('packing…')
  const { files, shipped, without } = await makeArtifacts()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))

  const time = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString()
  const { packages } = readJson('package-lock.json')
  const put = (name, value) => writeFileSync(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`)
  put(`bridgedeck-${version}.cdx.json`, sbom({ manifest: readJson('package.json'), packages, shipped, commit, time }))
  const { output: npmVersion } = await npm(['--version'])
  put(
    `bridgedeck-${version}.provenance.json`,
    provenance({
      version,
      commit,
      isTested,
      files: digestsIn(folder),
      place: placeOf(process.env),
      lockDigest: sha256(readFileSync(join(root, 'package-lock.json'))),
      tools: { node: process.versions.node, npm: npmVersion.trim() },
    }),
  )
  const all = digestsIn(folder)
  writeFileSync(join(folder, 'SHA256SUMS'), checksumLines(all))
  // Beside the folder, whose files are uploaded: the text of the release on GitHub.
  writeFileSync(`${folder}.md`, `${section(read('CHANGELOG.md'), version)}\n`)
  return { files: all, without }
}

const digestsIn = (folder) =>
  readdirSync(folder)
    .sort()
    .map((name) => ({ name, digest: sha256(readFileSync(join(folder, name))) }))

const summary = ({ version, commit, files, without, isTested }) => `
Bridgedeck ${version} of commit ${commit}, in out/release/${version}:

${checksumLines(files)}
${isTested ? 'All tests passed.' : 'WARNING: NOT TESTED. --no-tests left out npm test; do not publish this.'}
${without ? `WITHOUT ${without}.\n` : ''}Nothing is signed or published.

To do by hand (docs/releasing.md):

${section(read('docs/releasing.md'), 'By hand')?.replaceAll('VERSION', version)}
`

await main().catch(fail)
