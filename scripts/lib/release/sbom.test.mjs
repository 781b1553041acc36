import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shippedFolders } from '../../notices.mjs'
import { root } from '../process.mjs'
import { sbom } from './sbom.mjs'

/** Checks a bill against the official schema. @returns {string[]} what is wrong with it */
function errorsOf(bill) {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
    'res/schema',
  )
  const schema = (name) => JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const isTime = (text) => z.iso.datetime().safeParse(text).success
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { 'date-time': isTime, 'iri-reference': true, 'idn-email': true, uri: true },
  })
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const validate = ajv.compile(schema('bom-1.6'))
  validate(bill)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const release = {
  manifest: { name: 'app', version: '1.2.3', description: 'An app.', license: 'MIT' },
  packages: {
    '': { dependencies: { '@scope/run': '2.0.0' }, devDependencies: { tool: '1.0.0' } },
    'node_modules/@scope/run': {
      version: '2.0.0',
      license: '(MIT OR Apache-2.0)',
      integrity: 'sha512-AAECAw== sha1-BAUG',
      dependencies: { deep: '^1.0.0', tool: '^1.0.0' },
    },
    'node_modules/@scope/run/node_modules/deep': { version: '1.0.0+build', license: 'ISC' },
    'node_modules/deep': { version: '2.0.0', license: 'ISC' },
    'node_modules/tool': { version: '1.0.0', license: 'MIT' },
  },
  shipped: {
    bundled: ['node_modules/@scope/run'],
    installed: ['node_modules/@scope/run/node_modules/deep', 'node_modules/@scope/run'],
  },
  commit: '0123456789abcdef0123456789abcdef01234567',
  time: '2026-11-29T12:00:00.000Z',
}

describe('the bill of materials', () => {
  it('of what this build ships follows the schema of CycloneDX 1.6', () => {
    const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
    const shipped = { bundled: shippedFolders(), installed: [] }
    const { packages } = read('package-lock.json')
    const bill = sbom({ ...release, manifest: read('package.json'), packages, shipped })
    expect(errorsOf(bill)).toEqual([])
    expect(bill.components.map(({ purl }) => purl)).toContainEqual(expect.stringMatching(/^pkg:npm\/zod@\d/))
    for (const { name, hashes } of bill.components) expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
  })

  it('that breaks the schema is found', () => {
    const bill = sbom(release)
    expect(errorsOf({ ...bill, metadata: { ...bill.metadata, timestamp: 'yesterday' } })).not.toEqual([])
    expect(errorsOf({ ...bill, components: [{ type: 'library' }] })).not.toEqual([])
  })

  it('has what is shipped, once each, with package URL, licence, hashes and the way it is shipped', () => {
    expect(sbom(release).components).toEqual([
      {
        type: 'library',
        'bom-ref': 'pkg:npm/%40scope/run@2.0.0',
        group: '@scope',
        name: 'run',
        version: '2.0.0',
        hashes: [
          { alg: 'SHA-512', content: '00010203' },
          { alg: 'SHA-1', content: '040506' },
        ],
        licenses: [{ expression: 'MIT OR Apache-2.0' }],
        purl: 'pkg:npm/%40scope/run@2.0.0',
        properties: ['bundled', 'installed'].map((value) => ({ name: 'bridgedeck:shipped', value })),
      },
      {
        type: 'library',
        'bom-ref': 'pkg:npm/deep@1.0.0%2Bbuild',
        name: 'deep',
        version: '1.0.0+build',
        licenses: [{ license: { id: 'ISC' } }],
        purl: 'pkg:npm/deep@1.0.0%2Bbuild',
        properties: [{ name: 'bridgedeck:shipped', value: 'installed' }],
      },
    ])
  })

  it('says what needs what, of that which is shipped', () => {
    expect(sbom(release).dependencies).toEqual([
      { ref: 'pkg:npm/app@1.2.3', dependsOn: ['pkg:npm/%40scope/run@2.0.0'] },
      { ref: 'pkg:npm/%40scope/run@2.0.0', dependsOn: ['pkg:npm/deep@1.0.0%2Bbuild'] },
      { ref: 'pkg:npm/deep@1.0.0%2Bbuild', dependsOn: [] },
    ])
  })

  it('is the same whatever the order of the folders, and has another serial number for another commit', () => {
    const { bundled, installed } = release.shipped
    const other = { ...release, shipped: { bundled, installed: installed.toReversed() } }
    expect(JSON.stringify(sbom(other))).toBe(JSON.stringify(sbom(release)))
    const serial = (commit) => sbom({ ...release, commit }).serialNumber
    expect(serial('f'.repeat(40))).not.toBe(serial(release.commit))
  })

  it('is refused with a package that has no licence, or is not in the lock file', () => {
    const withPackage = (locked) => ({
      ...release,
      packages: { ...release.packages, 'node_modules/tool': locked },
      shipped: { bundled: ['node_modules/tool'], installed: [] },
    })
    expect(() => sbom(withPackage({ version: '1.0.0' }))).toThrow('tool 1.0.0')
    expect(() => sbom(withPackage(undefined))).toThrow('npm ci')
  })
})
