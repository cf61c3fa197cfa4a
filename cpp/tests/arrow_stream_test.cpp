#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "arrow_world.hpp"
#include "penstock/arrow_export.hpp"
#include "penstock/batch_subscribe.hpp"

namespace penstock {
namespace {

using ArrowStream = Arrow;

// A stream of the given batches; then it ends, or fails.
struct Stream {
    std::vector<std::unique_ptr<Made>> batches;
    std::size_t next = 0;
    bool fails = false;
    int released = 0;

    ArrowArrayStream get() {
        ArrowArrayStream stream{};
        stream.private_data = this;
        stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
            *out = std::exchange(of(self).batches.at(0)->schema, {});
            return 0;
        };
        stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
            Stream& made = of(self);
            if (made.next < made.batches.size()) {
                *out = std::exchange(made.batches[made.next++]->array, {});
                return 0;
            }
            *out = {};
            return made.fails ? EIO : 0;
        };
        stream.get_last_error = [](ArrowArrayStream*) { return "the disk is on fire"; };
        stream.release = [](ArrowArrayStream* self) {
            ++of(self).released;
            self->release = nullptr;
        };
        return stream;
    }
    static Stream& of(ArrowArrayStream* self) { return *static_cast<Stream*>(self->private_data); }

    ~Stream() {
        EXPECT_EQ(released, 1);
        for (auto& batch : batches) {  // what was not taken
            if (batch->schema.release != nullptr) batch->schema.release(&batch->schema);
            if (batch->array.release != nullptr) batch->array.release(&batch->array);
        }
    }
};

std::unique_ptr<Made> row_of(std::int64_t value) {
    auto batch = batch_of(1);
    batch->child(numbers<std::int64_t>("l", "n", {value}));
    batch->finish();
    return batch;
}

TEST_F(ArrowStream, TheBatchesOfAStreamFollowEachOther) {
    subscribe("two", "n = 2");
    Stream stream;
    for (std::int64_t value : {1, 2, 3}) stream.batches.push_back(row_of(value));
    ArrowArrayStream given = stream.get();
    const ArrowTable read = read_stream(ArrowOwner<ArrowArrayStream>(given));
    EXPECT_EQ(given.release, nullptr);
    EXPECT_EQ(names(with_view(match_batches, table, read)), (Rows{{}, {"two"}, {}}));
}

TEST_F(ArrowStream, AFailingStreamIsQuotedAndReleased) {
    Stream stream;
    stream.fails = true;
    stream.batches.push_back(row_of(1));
    ArrowArrayStream given = stream.get();
    try {
        read_stream(ArrowOwner<ArrowArrayStream>(given));
        ADD_FAILURE();
    } catch (const ArrowError& error) {
        EXPECT_NE(std::string(error.what()).find("the disk is on fire"), std::string::npos);
    }
}

TEST_F(ArrowStream, AConsumedStreamIsRefused) {
    EXPECT_THROW(read_stream({}), ArrowError);
}

}  // namespace
}  // namespace penstock
