/** The software bill of materials of a release: CycloneDX 1.6 as JSON (https://cyclonedx.org/docs/1.6/json). */
import { createHash } from 'node:crypto'
import { locate, lockedPackage } from '../lockFile.mjs'
import { SetupError } from '../process.mjs'

/**
 * @param {object} release
 * @param {{ name: string, version: string, description: string, license: string }} release.manifest
 * @param {Record<string, object>} release.packages those of package-lock.json
 * @param {Record<string, string[]>} release.shipped folders of packages, by the way they are shipped: `bundled`, `installed`
 * @param {string} release.commit
 * @param {string} release.time as ISO 8601
 */
export function sbom({ manifest, packages, shipped, commit, time }) {
  const components = componentsOf(packages, shipped)
  const { name, version, description, license } = manifest
  const product = packageUrl({ name, version })
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${product} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: time,
      manufacturer: { name: 'The Bridgedeck project' },
      component: {
        type: 'application',
        'bom-ref': product,
        name,
        version,
        description,
        licenses: licensesOf(license),
        purl: product,
        properties: [{ name: 'bridgedeck:commit', value: commit }],
      },
    },
    components: [...components.values()].map(({ component }) => component),
    dependencies: [
      { ref: product, dependsOn: needsOf(packages, '', components) },
      ...[...components].map(([ref, { folders }]) => ({
        ref,
        dependsOn: unique(folders.flatMap((folder) => needsOf(packages, folder, components))),
      })),
    ],
  }
}

/** @returns {Map<string, { component: object, folders: string[] }>} by package URL, in its order */
function componentsOf(packages, shipped) {
  const ways = new Map()
  for (const [way, folders] of Object.entries(shipped))
    for (const folder of folders) ways.set(folder, unique([...(ways.get(folder) ?? []), way]))
  const found = new Map()
  for (const [folder, how] of ways) {
    const locked = lockedPackage(packages, folder)
    if (locked === undefined) throw new SetupError(`package-lock.json has no ${folder}. Run npm ci and build again.`)
    const url = packageUrl(locked)
    const before = found.get(url)
    found.set(url, {
      locked,
      folders: [...(before?.folders ?? []), folder],
      ways: unique([...(before?.ways ?? []), ...how]),
    })
  }
  return new Map(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([url, { locked, folders, ways: how }]) => [url, { component: componentOf(url, locked, how), folders }]),
  )
}

function componentOf(url, { name, version, license, integrity }, ways) {
  if (license === undefined) throw new SetupError(`${name} ${version} has no licence in package-lock.json.`)
  const [group, rest] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': url,
    ...(group && { group }),
    name: rest,
    version,
    ...(integrity && { hashes: hashesOf(integrity) }),
    licenses: licensesOf(license),
    purl: url,
    properties: ways.map((way) => ({ name: 'bridgedeck:shipped', value: way })),
  }
}

/** @returns {string[]} package URLs of what a package needs, as far as they are shipped */
function needsOf(packages, folder, components) {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[folder]
  // The packages that the project bundles are its devDependencies.
  const own = folder === '' ? devDependencies : {}
  return unique(
    Object.keys({ ...dependencies, ...own, ...optionalDependencies, ...peerDependencies })
      .map((name) => lockedPackage(packages, locate(packages, name, folder)))
      .flatMap((locked) => (locked === undefined ? [] : [packageUrl(locked)]))
      .filter((url) => components.has(url)),
  )
}

const unique = (list) => [...new Set(list)].sort()

/** As https://github.com/package-url/purl-spec has it for npm. */
const packageUrl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`

const licensesOf = (license) =>
  /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license.replace(/^\((.*)\)$/, '$1') }]

/** @param {string} integrity such as `sha512-…`, in base64 */
const hashesOf = (integrity) =>
  integrity.split(' ').map((hash) => {
    const [algorithm, content] = hash.split(/-(.*)/)
    return { alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') }
  })

/** A UUID of version 8 (RFC 9562), the same for the same text. */
function uuidOf(text) {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6] & 0x0f) | 0x80
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
