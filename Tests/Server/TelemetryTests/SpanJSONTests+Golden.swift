extension SpanJSONTests {
    /// A body that was written by hand after the protocol's definition, with a line break between its parts.
    static let golden = #"""
        {"resourceSpans":[{"resource":{"attributes":[
        {"key":"service.name","value":{"stringValue":"underway"}},
        {"key":"service.version","value":{"stringValue":"1.4.0"}},
        {"key":"service.instance.id","value":{"stringValue":"a\"1"}}]},
        "scopeSpans":[{"scope":{"name":"underway"},"spans":[
        {"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"910a2dec89025cc1",
        "traceState":"a=1","parentSpanId":"00f067aa0ba902b7","name":"GET /full","kind":2,
        "startTimeUnixNano":"1700000000000000000","endTimeUnixNano":"1700000000000000001",
        "attributes":[
        {"key":"bool","value":{"boolValue":true}},
        {"key":"bools","value":{"arrayValue":{"values":[{"boolValue":true},{"boolValue":false}]}}},
        {"key":"double","value":{"doubleValue":0.1}},
        {"key":"empty","value":{"arrayValue":{"values":[]}}},
        {"key":"infinite","value":{"arrayValue":{"values":[
        {"doubleValue":"Infinity"},{"doubleValue":"-Infinity"},{"doubleValue":-2.0}]}}},
        {"key":"int","value":{"intValue":"42"}},
        {"key":"int32s","value":{"arrayValue":{"values":[{"intValue":"3"}]}}},
        {"key":"ints","value":{"arrayValue":{"values":[{"intValue":"1"},{"intValue":"2"}]}}},
        {"key":"large","value":{"doubleValue":1e+300}},
        {"key":"least","value":{"intValue":"-9223372036854775808"}},
        {"key":"none","value":{"doubleValue":"NaN"}},
        {"key":"small","value":{"intValue":"-7"}},
        {"key":"text","value":{"stringValue":"line\n\"quoted\" \\ é"}},
        {"key":"texts","value":{"arrayValue":{"values":[{"stringValue":"a"},{"stringValue":""}]}}}],
        "droppedAttributesCount":1,
        "events":[
        {"timeUnixNano":"1500","name":"cache miss",
        "attributes":[{"key":"tries","value":{"intValue":"2"}}]},
        {"timeUnixNano":"1600","name":"exception",
        "attributes":[{"key":"exception.type","value":{"stringValue":"CancellationError"}}]}],
        "links":[
        {"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","traceState":"b=2",
        "attributes":[{"key":"why","value":{"stringValue":"batch"}}]}],
        "status":{"message":"Nobody waits.","code":2}},
        {"traceId":"beeb8da1658eec67f893a2eefb32555e","spanId":"71c18690ee42c90b",
        "name":"bare","kind":1,
        "startTimeUnixNano":"0","endTimeUnixNano":"18446744073709551615",
        "status":{"code":1}}]}]}]}
        """#
}
