/** `npm run client-types`: writes src-client/generated.ts, the types of the tools and events for `bridgedeck/client`. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './lib/process.mjs'

const { module } = await runnerImport(resolve(root, 'scripts/lib/clientTypes.ts'), {
  configFile: false,
  root,
  resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
})
writeFileSync(module.generatedFile, await module.formatted(module.clientTypes()))
