import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Files under names of exactly these bytes, valid text or not.
public enum FileBytes {
    /// A name or a text could not be written.
    public struct Failure: Error {
        public let path: String
        public let number: Int32
    }

    public static func write(_ text: String, to path: String) throws {
        try write(text, to: Array(path.utf8))
    }

    /// Writes a file and makes the folders above it.
    public static func write(_ text: String, to path: [UInt8]) throws {
        try write(Array(text.utf8), to: path)
    }

    /// Writes a file and makes the folders above it.
    public static func write(_ bytes: [UInt8], to path: [UInt8]) throws {
        for (place, byte) in path.enumerated() where byte == UInt8(ascii: "/") && place > 0 {
            _ = withName(Array(path[..<place])) { mkdir($0, 0o755) }
        }
        let descriptor = withName(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                #if canImport(Glibc)
                Glibc.write(descriptor, $0.baseAddress, $0.count)
                #else
                Darwin.write(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            guard count > 0 else { throw failure(path) }
            offset += count
        }
    }

    public static func remove(_ path: String) throws {
        guard withName(Array(path.utf8), { unlink($0) }) == 0 else {
            throw failure(Array(path.utf8))
        }
    }

    public static func exists(_ path: String) -> Bool {
        withName(Array(path.utf8)) { access($0, F_OK) } == 0
    }

    private static func failure(_ path: [UInt8]) -> Failure {
        Failure(path: String(decoding: path, as: UTF8.self), number: errno)
    }

    private static func withName<Value>(
        _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Value
    ) -> Value {
        // The array ends with the zero that C expects.
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("it has a zero") }
            return body(base)
        }
    }
}
