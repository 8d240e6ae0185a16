import Accounts
import ContentModel
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import DeskWeb

/// The pages of assets: list, forms from schemas, and what is no path.
struct AssetPagesTests {
    private static let schema = """
        {"title": "Settings", "type": "object", "additionalProperties": false,
         "required": ["goal"],
         "properties": {
          "goal": {"type": "integer", "minimum": 5, "maximum": 500, "description": "Questions a day"},
          "name": {"type": "string"},
          "reviews": {"enum": ["fsrs", "off", 3]},
          "speeds": {"type": "array", "items": {"type": "number", "maximum": 2}},
          "streak": {"type": "boolean"},
          "sound": {"type": "boolean", "default": true},
          "colors": {"type": "object", "properties": {"light": {"type": "string"}, "deep": {"type": "object"}}},
          "deep": {"type": "array", "items": {"type": "object"}}
         }}
        """
    private static let file = "content/assets/app/features.yaml"
    private static let source = """
        # of the app
        goal: 20   # a day
        speeds: [1, 1.50]
        streak: true
        colors: # by theme
          light: "#fff"
          deep: { a: 1 }
        deep: [{ x: 1 }]

        """

    private static func world() async throws -> DeskWorld {
        let world = try await DeskWorld()
        try world.folder.write("name: Made\n", to: "content/underway.yaml")
        try world.folder.write(schema, to: "content/schemas/features.json")
        try world.folder.write(source, to: file)
        try world.folder.write(
            "app/features.yaml: { class: eager, schema: schemas/features.json }\nlogo.bin: onDemand\n",
            to: "content/assets.yaml")
        try world.folder.write("not a picture", to: "content/assets/logo.bin")
        try world.folder.write("{\"a\": 1}", to: "content/assets/plain.json")
        return world
    }

    private static let path = "/desk/assets/file?path=app%2Ffeatures.yaml"

    @Test func theListHasTypeSizeAndSchema() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])

        let page = try await browser.get("/desk/assets")
        let found = try await browser.get("/desk/assets?q=LOGO")

        for words in [
            "app/features.yaml", "schemas/features.json", "13 bytes", "when it is needed", "YAML",
            "3 of 3", "href=\"\(Self.path)\"",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
        #expect(found.body.contains("logo.bin") && !found.body.contains("features.yaml"))
    }

    @Test func theFormFollowsTheSchema() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])

        let page = try await browser.get(Self.path)

        #expect(page.status == 200)
        for words in [
            "name=\"/goal\" value=\"20\"", "From 5 to 500.", "Questions a day.", "role=\"switch\"",
            "name=\"/colors/light\" value=\"#fff\"", "<option value=\"&quot;fsrs&quot;\">fsrs",
            "name=\"/speeds\"", "name=\"/deep\"", "name=\"/colors/deep\"",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
        #expect(page.body.contains(/name="\/streak" value="true" checked/))
        #expect(page.body.contains(/name="\/sound" value="true" checked/))
        #expect(page.body.matches(of: /button filled/).count == 1)
    }

    @Test func anUntouchedFormChangesNoByte() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get(Self.path)

        let reply = try await browser.post(
            Self.path,
            [
                ("shown", try page.shown), ("/goal", "20"), ("/name", ""), ("/reviews", ""),
                ("/speeds", "1\r\n1.5"), ("toggle", "/streak"), ("/streak", "true"),
                ("toggle", "/sound"), ("/sound", "true"), ("/colors/light", "#fff"),
            ])

        #expect(reply.status == 303)
        #expect(try world.folder.text(Self.file) == Self.source)
    }

    @Test func savingChangesItsValuesAlone() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get(Self.path)

        let reply = try await browser.post(
            Self.path,
            [
                ("shown", try page.shown), ("/goal", "30"), ("/speeds", "1\r\n1.75"),
                ("toggle", "/streak"), ("/reviews", "3"), ("/colors/light", "#eee"),
                ("/colors/deep", "{\"a\": 2}"),
            ])

        #expect(reply.status == 303)
        #expect(reply.location == Self.path)
        let text = try world.folder.text(Self.file)
        for line in [
            "# of the app", "goal: 30   # a day", "colors: # by theme", "deep: [{ x: 1 }]",
            "streak: false", "reviews: 3", "deep: { a: 2 }", "1.75",
        ] {
            #expect(text.contains(line), "\(line)")
        }
        #expect(text.contains("#eee") && !text.contains("sound"))
    }

    @Test func errorsStopNoSavingAndStandBesideTheField() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get(Self.path)

        let reply = try await browser.post(
            Self.path, [("shown", try page.shown), ("/goal", "many"), ("/speeds", "9")])
        let after = try await browser.get(Self.path)

        #expect(reply.status == 303)
        #expect(after.body.contains("2 errors stop publishing"))
        #expect(after.body.contains(/name="\/goal" value="many"[^>]*aria-invalid="true"/))
        #expect(after.body.contains("must be of type integer, found text"))
        #expect(after.body.contains("must be at most 2"))
        #expect(try world.folder.text(Self.file).contains("goal: many"))
    }

    @Test func brokenJSONIsRefusedAndKept() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get(Self.path)

        let reply = try await browser.post(
            Self.path, [("shown", try page.shown), ("/deep", "[{\"x\": <b>"), ("/goal", "77")])

        #expect(reply.status == 422)
        #expect(reply.body.contains("This is no JSON, line 1"))
        #expect(reply.body.contains("[{&quot;x&quot;: &lt;b&gt;"))
        #expect(reply.body.contains("name=\"/goal\" value=\"77\""))
        #expect(try world.folder.text(Self.file) == Self.source)
    }

    @Test func aChangeOfSomebodyElseIsShown() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get(Self.path)
        try world.folder.write(Self.source.replacing("20", with: "25"), to: Self.file)

        let conflict = try await browser.post(
            Self.path, [("shown", try page.shown), ("/goal", "40")])
        let saved = try await browser.post(
            Self.path,
            [("shown", try conflict.shown), ("/goal", "40"), ("decision", "mine")])

        #expect(conflict.status == 409)
        #expect(conflict.body.contains("value=\"40\"") && conflict.body.contains(">25"))
        #expect(saved.status == 303)
        #expect(try world.folder.text(Self.file).contains("goal: 40   # a day"))
    }

    @Test(arguments: [
        "../underway.yaml", "..%2Funderway.yaml", "%2e%2e%2funderway.yaml", "%252e%252e%252fx",
        "/etc/passwd", "%2Fetc%2Fpasswd", "app/../../underway.yaml", "app//features.yaml",
        "./app/features.yaml", "app%5C..%5Cx", "none.json", "", "app", "logo.bin%00", "~",
    ]) func onlyNamesOfAssetsAreFound(path: String) async throws {
        let world = try await Self.world()
        try world.folder.write("secret: 1\n", to: "secret.yaml")
        let browser = try await world.browser([.author])

        #expect(try await browser.get("/desk/assets/file?path=\(path)").status == 404)
        #expect(try await browser.get("/desk/assets/picture?path=\(path)").status == 404)
        let post = try await browser.post("/desk/assets/file?path=\(path)", [("/x", "1")])
        #expect([404, 409].contains(post.status))
    }

    @Test func filesWithoutASchemaAreNotEdited() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])

        let binary = try await browser.get("/desk/assets/file?path=logo.bin")
        let plain = try await browser.get("/desk/assets/file?path=plain.json")
        let post = try await browser.post("/desk/assets/file?path=plain.json", [("whole", "2")])

        #expect(binary.body.contains("Replace the file in the content folder"))
        #expect(plain.body.contains("Name a schema for it in assets.yaml"))
        #expect(!binary.body.contains("data-save") && !plain.body.contains("data-save"))
        #expect(post.status == 409)
        #expect(try world.folder.text("content/assets/plain.json") == "{\"a\": 1}")
        #expect(try await browser.get("/desk/assets/picture?path=logo.bin").status == 404)
    }

    @Test func picturesAreServedByTheirBytes() async throws {
        let world = try await Self.world()
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1]
        try Data(png).write(to: URL(filePath: world.content + "/assets/icon.svg"))
        try world.folder.write(
            "<svg onload=alert(1)>", to: "content/assets/evil.png")
        let browser = try await world.browser([.author])

        let picture = try await browser.get("/desk/assets/picture?path=icon.svg")
        let evil = try await browser.get("/desk/assets/picture?path=evil.png")

        #expect(picture.status == 200)
        #expect(picture.headers[.contentType] == "image/png")
        #expect(picture.headers[.xContentTypeOptions] == "nosniff")
        #expect(evil.status == 404)
    }

    @Test func hostileTextIsEscapedEverywhere() async throws {
        let script = "\"><script>alert(1)</script>"
        let json = String(decoding: JSONValue.string(script).canonicalBytes, as: UTF8.self)
        let world = try await Self.world()
        try world.folder.write(
            """
            {"title": \(json), "type": "object", "additionalProperties": {"type": "string"}, "properties": {
             \(json): {"type": "string", "title": \(json), "description": \(json)},
             "e": {"enum": [\(json)]}, "l": {"type": "array", "items": {"type": "string"}},
             "j": {}, "o": {"type": "object", "title": \(json), "properties": {\(json): {"type": "boolean"}}}}}
            """, to: "content/schemas/features.json")
        try world.folder.write(
            "{\(json): \(json), \"e\": \(json), \"l\": [\(json)], \"j\": \(json), \"more\": \(json), \"o\": {\(json): true}}",
            to: Self.file)
        let browser = try await world.browser([.author])

        let page = try await browser.get(Self.path)
        let conflict = try await browser.post(
            Self.path, [("/j", "\"\(script)2\""), ("/l", script + "3"), ("/more", script + "4")])

        #expect(page.status == 200 && conflict.status == 409)
        for reply in [page, conflict] {
            #expect(!reply.body.contains("<script>alert"))
            #expect(reply.body.contains("&lt;script&gt;"))
        }
    }

    @Test func namesWithSlashesAndTildesAreOneField() async throws {
        let world = try await Self.world()
        try world.folder.write(
            "{\"type\": \"object\", \"properties\": {\"a/b~c\": {\"type\": \"string\"}, \"a\": {\"type\": \"object\", \"properties\": {\"b~c\": {\"type\": \"string\"}}}}}",
            to: "content/schemas/features.json")
        try world.folder.write("a/b~c: one\na: { b~c: two }\n", to: Self.file)
        let browser = try await world.browser([.author])
        let page = try await browser.get(Self.path)

        let reply = try await browser.post(
            Self.path, [("shown", try page.shown), ("/a~1b~0c", "three")])

        #expect(reply.status == 303)
        #expect(try world.folder.text(Self.file) == "a/b~c: three\na: { b~c: two }\n")
    }
}
