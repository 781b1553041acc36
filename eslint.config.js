import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'
import importRules from './scripts/lint/importRules.mjs'

/** What the page and the bridge may not do, however it is spelt. */
const dangerous = [
  {
    selector:
      ':matches(JSXAttribute[name.name="dangerouslySetInnerHTML"], Property[key.name="dangerouslySetInnerHTML"])',
    message: 'Text from files and machines is inert: render it as text.',
  },
  {
    selector:
      'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|srcdoc)$/], CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe)$/]',
    message: 'Text from files and machines is inert: set textContent.',
  },
  {
    selector:
      'ImportDeclaration[source.value=/^(node:)?child_process$/] ImportSpecifier[imported.name=/^exec(Sync)?$/]',
    message: 'exec goes through a shell; spawn the program with its arguments.',
  },
  {
    selector: 'Property[key.name="shell"][value.value=true]',
    message: 'No shell: spawn the program with its arguments.',
  },
]

/** Each has one place, where its conditions are checked. */
const onePlace = {
  openExternal: {
    selector: 'MemberExpression[property.name="openExternal"]',
    message: 'Only src-main/electron/security.ts opens links outside.',
  },
  window: {
    selector: 'NewExpression[callee.name="BrowserWindow"]',
    message: 'Only src-main/electron/window.ts makes windows.',
  },
}

export default tseslint.config(
  { ignores: ['out/**', 'dist/**', 'node_modules/**', 'test-results/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-eval': 'error',
    },
  },
  {
    files: ['src-*/**/*.{ts,tsx}'],
    plugins: { project: importRules },
    rules: { 'project/imports': 'error', 'no-restricted-syntax': ['error', ...dangerous, ...Object.values(onePlace)] },
  },
  {
    files: ['src-main/electron/security.ts'],
    rules: { 'no-restricted-syntax': ['error', ...dangerous, onePlace.window] },
  },
  {
    files: ['src-main/electron/window.ts'],
    rules: { 'no-restricted-syntax': ['error', ...dangerous, onePlace.openExternal] },
  },
  {
    files: ['src-shared/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'navigator',
        'localStorage',
        'process',
        'Buffer',
        'require',
      ],
    },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: globals.node, ecmaVersion: 2023, sourceType: 'module' },
    rules: { 'no-undef': 'error', 'no-unused-vars': ['error', { ignoreRestSiblings: true }], eqeqeq: 'error' },
  },
)
