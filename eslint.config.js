import tseslint from 'typescript-eslint';
import { timesOfDay } from './tools/lint/times-of-day.mjs';

const CLOCKS = { plugins: { house: { rules: { 'times-of-day': timesOfDay(import.meta.dirname) } } } };

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.cache/**', 'eslint.config.js'] },
  { ...CLOCKS, files: ['**/*.ts', '**/*.mjs'], rules: { 'house/times-of-day': 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A floating promise is a lost error and a leak: the decisive rule for this code.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='process'][callee.property.name='exit']",
          message: 'Let the process end by itself: an early exit cuts off pending writes (stderr is a pipe).',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/io/wait.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: 'Waiting goes through src/io/wait.ts, which is always abortable.' },
        { name: 'setInterval', message: 'Nothing sleeps in a loop: use poll() from src/io/wait.ts.' },
      ],
    },
  },
  {
    // An engine that has crashed must end, whatever is still open; it does so once its last line is written.
    files: ['src/log/crash.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['{test,tools,bench,sandbox}/**/*.ts'],
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
