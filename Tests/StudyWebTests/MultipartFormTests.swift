import Foundation
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import PageRendering

/// Forms in parts, as browsers send them, and as nobody should.
@Suite struct MultipartFormTests {
    private func form(_ body: String, type: String = "multipart/form-data; boundary=x") async throws
        -> FormFields
    {
        try await form(Array(body.utf8), type: type)
    }

    private func form(_ body: [UInt8], type: String, bytesMax: Int = 100_000) async throws
        -> FormFields
    {
        let request = Request(
            head: .init(
                method: .post, scheme: "http", authority: "a", path: "/",
                headerFields: [.contentType: type]),
            body: RequestBody(buffer: ByteBuffer(bytes: body)))
        return try await FormFields(request, bytesMax: bytesMax)
    }

    private func part(_ disposition: String, _ content: String) -> String {
        "--x\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n"
    }

    @Test func fieldsAndFilesAreApart() async throws {
        let body =
            part("name=\"bank\"", "int/made") + part("name=\"text\"", "a\r\nb\r\n--y")
            + part("name=\"file\"; filename=\"a%22b.csv\"", "1,2\r\n\r\n--y") + "--x--\r\n"
        let form = try await form(body)
        #expect(form["bank"] == "int/made" && form["text"] == "a\r\nb\r\n--y")
        #expect(form["file"] == nil && form.file("bank") == nil)
        #expect(
            form.file("file") == FormFile(name: "a\"b.csv", bytes: Array("1,2\r\n\r\n--y".utf8)))
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), ("C:\\Users\\a\\bank.docx", "bank.docx"),
        ("Übung 1.xlsx", "Übung 1.xlsx"), ("a%0D%0Ab", "ab"),
    ])
    func aNameIsNoPath(sent: String, name: String) async throws {
        let form = try await form(part("name=\"f\"; filename=\"\(sent)\"", "") + "--x--")
        #expect(form.file("f")?.name == name && form.file("f")?.bytes == [])
    }

    @Test func aFieldWithoutAFileIsNone() async throws {
        let form = try await form(part("name=\"f\"; filename=\"\"", "") + "--x--")
        #expect(form.file("f") == nil && form["f"] == nil)
    }

    @Test func aBoundaryMayStandInQuotesAndEveryByteInAFile() async throws {
        let bytes = [UInt8](0...255)
        let head = "--a b\r\ncontent-disposition: form-data; name=\"f\"; filename=\"b\"\r\n\r\n"
        let body = Array(head.utf8) + bytes + Array("\r\n--a b--".utf8)
        let form = try await form(body, type: "Multipart/Form-Data; Boundary=\"a b\"")
        #expect(form.file("f")?.bytes == bytes)
    }

    @Test(arguments: [
        "", "--x", "--x\r\n", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb",
        "x\r\n--x--", "--x\r\nname=\"a\"\r\n\r\nb\r\n--x--", "--xContent\r\n\r\n\r\n--x--",
        "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\(String(repeating: "b", count: 9_000))\"\r\n\r\nc\r\n--x--",
    ])
    func whatCannotBeToldApartIsRefused(body: String) async throws {
        let error = await #expect(throws: HTTPError.self) { try await form(body) }
        #expect(error?.status == .badRequest)
    }

    @Test func tooManyPartsAndTooManyBytesAreRefused() async throws {
        let many = String(repeating: part("name=\"a\"", ""), count: FormFields.countMax + 1)
        let error = await #expect(throws: HTTPError.self) {
            try await form(
                Array((many + "--x--").utf8), type: "multipart/form-data; boundary=x",
                bytesMax: 1_000_000)
        }
        #expect(error?.status == .contentTooLarge)
        await #expect(throws: (any Error).self) {
            try await form(
                [UInt8](repeating: 0x61, count: 100_001), type: "multipart/form-data; boundary=x")
        }
    }

    /// A file takes time in proportion to its bytes, also where almost all of them begin a boundary.
    @Test func aFileOfBoundariesTakesLinearTime() {
        func seconds(_ count: Int) -> Double {
            let content = String(repeating: "\r\n--", count: count)
            let body = Data((part("name=\"f\"; filename=\"b\"", content) + "--x--").utf8)
            return ProcessorTime.seconds {
                let form = MultipartForm(body, boundary: "x", countMax: 10)
                #expect(form?.files.first?.file.bytes.count == 4 * count)
            }
        }
        let (one, four) = (seconds(250_000), seconds(1_000_000))
        #expect(four < 8 * max(one, 0.01), "\(one) s, \(four) s")
    }
}
