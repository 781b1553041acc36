import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const alias = { '@shared': resolve('src-shared') }

// The other Node programs (bridge, worker, command line) are built apart, one file each, by scripts/build.mjs: with
// shared chunks, Electron would run the bridge inside main.
export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      outDir: 'out/main',
      target: 'node18',
      externalizeDeps: { exclude: ['zod', 'atomically', 'electron-log', 'fflate'] },
      rolldownOptions: {
        input: { main: resolve('src-main/main.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  preload: {
    resolve: { alias },
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
    plugins: [react()],
    build: {
      outDir: resolve('out/renderer'),
      target: 'chrome114',
      minify: true,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: { index: resolve('src-renderer/index.html') } },
    },
  },
})
