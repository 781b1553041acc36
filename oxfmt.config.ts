import { defineConfig } from 'oxfmt'

export default defineConfig({
  printWidth: 120,
  semi: false,
  singleQuote: true,
  sortPackageJson: false,
  ignorePatterns: [
    'out/',
    'dist/',
    'test-results/',
    'package-lock.json',
    // Inputs of tests and what users are given a copy of: their bytes matter.
    'test/fixtures/',
    'resources/',
    // Assembler, which is taken for HTML.
    '*.inc',
  ],
})
