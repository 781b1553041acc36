import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { listPackages } from './scripts/lib/bundledPackages.mjs'
import { firstPicture, pureSchemas } from './scripts/lib/pagePlugins'
import * as contractNames from './src-shared/contract/names'

const alias = { '@shared': resolve('src-shared') }

/** The preload needs the contract's names, not its schemas. */
const namesOnly = {
  name: 'contract-names',
  load: (id: string) =>
    id === resolve('src-shared/contract/names.ts')
      ? Object.entries(contractNames)
          .map(([name, list]) => `export const ${name} = ${JSON.stringify(list)}`)
          .join('\n')
      : null,
}

// The other Node programs (bridge, worker, command line) are built apart, one file each, by scripts/build.mjs: with
// shared chunks, Electron would run the bridge inside main.
export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [listPackages('main')],
    build: {
      outDir: 'out/main',
      target: 'node18',
      rolldownOptions: {
        input: { main: resolve('src-main/main.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  preload: {
    resolve: { alias },
    plugins: [namesOnly, listPackages('preload')],
    build: {
      outDir: 'out/preload',
      target: 'node18',
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: resolve('src-preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    resolve: { alias },
    plugins: [react(), pureSchemas, firstPicture, listPackages('page')],
    build: {
      outDir: resolve('out/renderer'),
      target: 'chrome114',
      minify: true,
      modulePreload: { polyfill: false },
      // One file: a request over app:// costs more at the start than the styles of the views that are not shown.
      cssCodeSplit: false,
      rolldownOptions: {
        input: { index: resolve('src-renderer/index.html') },
        output: {
          codeSplitting: {
            groups: [
              // Runs before zod, which it configures, whatever else comes into zod's chunk.
              { name: 'policy', test: /contentPolicy\.ts$/, priority: 4 },
              {
                name: 'zod',
                test: /node_modules[\\/]zod[\\/]|contract[\\/]agents\.ts$/,
                priority: 3,
              },
              { name: 'page', test: /src-renderer[\\/]main\.tsx$|rolldown[\\/]runtime/, priority: 2 },
              { name: 'live', test: /views[\\/](screen|memory|sprites|registers)[\\/]\w+View\.tsx$/, priority: 1 },
            ],
          },
        },
      },
    },
  },
})
