import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    tailwindcss(),
    compression({ algorithms: [defineAlgorithm('brotliCompress')], logLevel: 'silent' }),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The bundle budget reads from it which files the login page loads first.
    manifest: true,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': serverAddress },
  },
})
